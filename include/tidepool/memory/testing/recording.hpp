#pragma once

// What was asked of a resource, in order.

#include "../layer.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <thread>
#include <vector>

namespace tidepool::testing {

enum class allocation_action : std::uint8_t { allocate, deallocate, refuse };

struct allocation_event {
    allocation_action action;
    const void* pointer;  ///< null where refused
    std::size_t bytes;
    std::size_t alignment;
    void* stream;  ///< its handle; null for requests without a stream
    std::uint64_t thread;
    std::chrono::microseconds time;  ///< since the recorder was made

    /// Whether it is the same request; when and by whom aside.
    friend bool operator==(const allocation_event& left, const allocation_event& right) noexcept
    {
        return left.action == right.action && left.pointer == right.pointer && left.bytes == right.bytes &&
               left.alignment == right.alignment && left.stream == right.stream;
    }
};

/// Layer: keeps every event. `write_csv` writes them as RMM's logging adaptor does (Thread,Time,Action,Pointer,Size,Stream), so
/// that its tools read them. Reserves room before the upstream is asked; where it cannot, the request is refused, and the giving
/// back of a block never needs more. Thread safety: none of its own.
struct recording {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream> {
        using base = layer<over, Upstream>;
        friend base;

    public:
        using properties = without_property<properties_of<Upstream>, thread_safe>;
        using base::base;

        [[nodiscard]] const std::vector<allocation_event>& events() const noexcept { return events_; }

        void write_csv(std::ostream& out) const
        {
            out << "Thread,Time,Action,Pointer,Size,Stream\n";
            for (const allocation_event& event : events_) {
                out << event.thread << ',' << event.time.count() << ',' << name_of(event.action) << ',' << event.pointer << ','
                    << event.bytes << ',' << event.stream << '\n';
            }
        }

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            if (!reserve_for_another_block()) {
                return how.refuse(out_of_memory("the record of events", bytes, alignment));
            }
            const std::size_t place = events_.size();
            add(allocation_action::refuse, nullptr, bytes, alignment, stream_of(how));  // unless it comes back
            void* const pointer = how.allocate(this->upstream(), bytes, alignment);
            if (pointer != nullptr) {
                events_[place].action = allocation_action::allocate;
                events_[place].pointer = pointer;
                ++live_;
            }
            return pointer;
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            add(allocation_action::deallocate, pointer, bytes, alignment, stream_of(how));
            live_ -= live_ > 0 ? 1U : 0U;
            how.deallocate(this->upstream(), pointer, bytes, alignment);
        }

        /// For its allocation, its return, and the return of all that live.
        bool reserve_for_another_block() noexcept
        {
            const std::size_t needed = events_.size() + live_ + 2;
            return needed <= events_.capacity() || !tidepool::detail::throws([&] { events_.reserve(2 * needed); });
        }
        void add(allocation_action action, const void* pointer, std::size_t bytes, std::size_t alignment, void* stream) noexcept
        {
            const auto since = std::chrono::steady_clock::now() - start_;
            events_.push_back({action, pointer, bytes, alignment, stream, std::hash<std::thread::id>{}(std::this_thread::get_id()),
                               std::chrono::duration_cast<std::chrono::microseconds>(since)});
        }
        template <class How>
        static void* stream_of(const How& how) noexcept
        {
            if constexpr (requires { how.stream; }) {
                return how.stream.handle();
            } else {
                return nullptr;
            }
        }
        static const char* name_of(allocation_action action) noexcept
        {
            switch (action) {
                case allocation_action::allocate:
                    return "allocate";
                case allocation_action::deallocate:
                    return "free";
                case allocation_action::refuse:
                    break;
            }
            return "allocate failure";
        }

        std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
        std::vector<allocation_event> events_;
        std::size_t live_ = 0;
    };
};

}  // namespace tidepool::testing
