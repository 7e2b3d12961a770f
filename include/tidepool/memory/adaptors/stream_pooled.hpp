#pragma once

// A pool in the order of streams.

#include "../backends/backend_below.hpp"
#include "../backends/stream_event.hpp"
#include "../pool_layer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidepool {

/// Layer: as `pooled`, for blocks that streams may still use when they are given back. Needs a source with a backend below it.
///
/// A block that is given back in a stream's order waits, behind an event, until the stream has come so far: then it is free for all.
/// Until then only the same stream may have it again: a block of the size that it asks for, or of up to a quarter more. A block
/// whose event does not come holds up no other. Before a request is refused, it waits for the oldest events. Streams are known by
/// their ids, never by their handles, which may mean another stream next time.
///
/// Argument: `pool_options`. Errors: the upstream's. If an event cannot be had, giving back waits for the stream; if that fails too,
/// the block is never handed out again. Time: as `pooled`, and linear in the blocks that wait. Thread safety: none of its own.
struct stream_pooled {
    template <memory_resource Upstream>
    requires detail::has_backend<Upstream>
    class over : public pool_layer<over<Upstream>, Upstream> {
        using base = pool_layer<over, Upstream>;
        friend layer<over, Upstream>;

    public:
        using base::base;
        ~over()
        {
            while (wait_for_oldest()) {
            }
            for (const spare_event& spare : spare_events_) {
                destroy(spare.event);
            }
        }

        [[nodiscard]] void* allocate(stream_view stream, std::size_t bytes, std::size_t alignment)
        {
            return bytes == 0 ? nullptr : allocate_by(request::in_stream_order{stream}, bytes, alignment);
        }
        void deallocate(stream_view stream, void* pointer, std::size_t, std::size_t) noexcept
        {
            if (pointer != nullptr) {
                await(stream, pointer);
            }
        }

        std::size_t trim_to(std::size_t bytes) noexcept
        {
            collect_finished();
            return base::trim_to(bytes);
        }
        /// Bytes that were given back and that a stream may still use.
        [[nodiscard]] std::size_t waiting_bytes() const noexcept
        {
            std::size_t sum = 0;
            for (const waiting_block& block : waiting_) {
                sum += block.bytes;
            }
            return sum;
        }

    private:
        struct waiting_block {
            void* pointer;
            std::size_t bytes;
            std::uint64_t stream;  ///< its id
            int device;            ///< the stream's, and so the event's
            event_view event;
        };
        struct spare_event {
            int device;
            event_view event;
        };

        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            if (!this->could_align(alignment)) {
                return how.refuse(bad_alignment("pool", bytes, alignment, this->most_alignment()));
            }
            const auto rounded = this->rounded(bytes);
            if (!rounded || !reserve_for_another()) {
                return how.refuse(out_of_memory("pool", bytes, alignment));
            }
            void* const pointer = find(how, *rounded, alignment);
            live_ += pointer != nullptr ? 1U : 0U;
            return pointer;
        }
        /// In one without streams nobody uses the block any more.
        template <class How>
        void deallocate_by(How, void* pointer, std::size_t, std::size_t) noexcept
        {
            --live_;
            this->give(pointer);
        }

        template <class How>
        void* find(How how, std::size_t bytes, std::size_t alignment)
        {
            if constexpr (requires { how.stream; }) {
                if (void* const pointer = take_back(how.stream, bytes, alignment)) {
                    return pointer;
                }
            }
            collect_finished();
            if (void* const pointer = this->take(bytes, alignment)) {
                return pointer;
            }
            // A slab is usable at once, by whichever stream: it is asked for without one.
            const auto at_once = without_stream(how);
            if (void* const pointer = this->take_from_new_slab(at_once, bytes, alignment)) {
                return pointer;
            }
            while (wait_for_oldest()) {
                if (void* const pointer = this->take(bytes, alignment)) {
                    return pointer;
                }
            }
            return this->take_from_last_slab(at_once, bytes, alignment);
        }
        [[nodiscard]] static request::synchronous without_stream(request::in_stream_order) noexcept { return {}; }
        template <class How>
        [[nodiscard]] static How without_stream(How how) noexcept
        {
            return how;
        }

        /// The smallest block that `stream` itself gave back and that is not much too large.
        [[nodiscard]] void* take_back(stream_view stream, std::size_t bytes, std::size_t alignment) noexcept
        {
            const auto id = backend().id_of(stream);
            auto best = waiting_.end();
            for (auto block = waiting_.begin(); id.ok() && block != waiting_.end(); ++block) {
                if (block->stream == id.value() && block->bytes >= bytes && block->bytes - bytes <= bytes / 4 &&
                    reinterpret_cast<std::uintptr_t>(block->pointer) % alignment == 0 &&
                    (best == waiting_.end() || block->bytes < best->bytes)) {
                    best = block;
                }
            }
            if (best == waiting_.end()) {
                return nullptr;
            }
            void* const pointer = best->pointer;
            keep(*best);
            waiting_.erase(best);
            return pointer;
        }
        /// Gives back what streams are done with; each event for itself, so that one that does not come holds up none.
        void collect_finished() noexcept
        {
            std::erase_if(waiting_, [&](const waiting_block& block) {
                const bool finished = backend().query(block.event).ok();
                if (finished) {
                    finish(block);
                }
                return finished;
            });
        }
        /// False if no block waits, or it never will be free.
        bool wait_for_oldest() noexcept
        {
            while (!waiting_.empty()) {
                const waiting_block oldest = waiting_.front();
                waiting_.erase(waiting_.begin());
                if (!backend().is_shutting_down() && backend().synchronise(oldest.event).ok()) {
                    finish(oldest);
                    return true;
                }
                keep(oldest);
            }
            return false;
        }

        void await(stream_view stream, void* pointer) noexcept
        {
            --live_;
            if (backend().is_shutting_down()) {
                return;
            }
            const auto id = backend().id_of(stream);
            const auto device = backend().device_of(stream);
            if (id.ok() && device.ok()) {
                const auto event = event_of(device.value(), stream);
                if (event.ok() && backend().record(event.value(), stream).ok()) {
                    waiting_.push_back({pointer, this->size_of(pointer), id.value(), device.value(), event.value()});
                    return;
                }
            }
            if (backend().synchronise(stream).ok()) {
                this->give(pointer);
            }
        }
        [[nodiscard]] backend_result<event_view> event_of(int device, stream_view stream) noexcept
        {
            const auto spare =
                std::find_if(spare_events_.begin(), spare_events_.end(), [&](const spare_event& each) { return each.device == device; });
            if (spare == spare_events_.end()) {
                return detail::create_event_for(backend(), stream);
            }
            const event_view event = spare->event;
            spare_events_.erase(spare);
            return event;
        }
        void finish(const waiting_block& block) noexcept
        {
            this->give(block.pointer);
            keep(block);
        }
        /// Its event serves the next block.
        void keep(const waiting_block& block) noexcept { spare_events_.push_back({block.device, block.event}); }
        void destroy(event_view event) noexcept
        {
            if (!backend().is_shutting_down()) {
                backend().destroy_event(event);
            }
        }

        /// Giving back must not ask for memory: every block may come to wait, and every event be spared.
        [[nodiscard]] bool reserve_for_another() noexcept
        {
            const std::size_t most = live_ + waiting_.size() + 1;
            if (most <= waiting_.capacity() && most + spare_events_.size() <= spare_events_.capacity()) {
                return true;
            }
            return !detail::throws([&] {
                waiting_.reserve(2 * most);
                spare_events_.reserve(2 * (most + spare_events_.size()));
            });
        }
        [[nodiscard]] auto& backend() const noexcept { return *detail::backend_below(this->upstream()); }

        std::vector<waiting_block> waiting_;  ///< in the order in which they were given back
        std::vector<spare_event> spare_events_;
        std::size_t live_ = 0;  ///< blocks
    };
};

}  // namespace tidepool
