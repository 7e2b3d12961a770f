#pragma once

// A guard against fork() and exit().

#include "../layer.hpp"

#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>

namespace tidepool {

/// The resource belongs to the process that made it, and this is a child of that.
class wrong_process : public allocation_error {
public:
    wrong_process(std::size_t bytes_asked, std::size_t alignment_asked, pid_t made_in) noexcept
        : allocation_error("tidepool: the resource was made before fork(), by another process", "process_bound", bytes_asked,
                           alignment_asked),
          owner(made_in)
    {
    }

    pid_t owner;
};

namespace detail {

/// How many times fork() made a child on the way from the program's start to this process. Asking for the process's number instead
/// would cost a system call a request.
inline std::atomic<unsigned> forks{0};

inline void count_forks() noexcept
{
    static const int registered = ::pthread_atfork(nullptr, nullptr, [] { ++forks; });
    static_cast<void>(registered);
}

/// Whether exit() has begun to run what was registered since a program's first use of a resource.
inline std::atomic<bool> process_is_exiting{false};

/// An upstream that is not destroyed in a forked child, nor once the process exits.
template <class Upstream>
class held_by_process {
public:
    template <class... Arguments>
    explicit held_by_process(Arguments&&... arguments) : owner_(::getpid())
    {
        count_forks();
        made_after_ = forks;
        std::construct_at(&upstream_, std::forward<Arguments>(arguments)...);
    }
    held_by_process(const held_by_process&) = delete;
    held_by_process& operator=(const held_by_process&) = delete;
    ~held_by_process()
    {
        if (may_be_called()) {
            std::destroy_at(&upstream_);
        }
    }

    [[nodiscard]] Upstream& get() noexcept { return upstream_; }
    [[nodiscard]] const Upstream& get() const noexcept { return upstream_; }
    [[nodiscard]] pid_t owner() const noexcept { return owner_; }
    [[nodiscard]] bool is_in_its_process() const noexcept { return made_after_ == forks.load(std::memory_order_relaxed); }
    [[nodiscard]] bool may_be_called() const noexcept { return is_in_its_process() && !process_is_exiting.load(std::memory_order_relaxed); }

    /// What is registered after an object was made runs before it is destroyed.
    void notice_exit() noexcept
    {
        if (!watches_.load(std::memory_order_relaxed) && !watches_.exchange(true)) {
            std::atexit([] { process_is_exiting = true; });
        }
    }

private:
    union {
        Upstream upstream_;
    };
    pid_t owner_;
    unsigned made_after_ = 0;  ///< forks
    std::atomic<bool> watches_{false};
};

}  // namespace detail

/// Layer: keeps what lies below from being used where it must not be.
///
/// In a child after fork() (not one that a bare clone() made), requests are refused with `wrong_process`, and what is given back stays the
/// parent's. An object with static storage that was used is not taken down at exit(): its blocks and its upstream stay as they are, for the
/// driver or the file behind them may be gone already. Thread safety: its upstream's.
struct process_bound {
    template <memory_resource Upstream>
    class over : public layer<over<Upstream>, Upstream, detail::held_by_process<Upstream>> {
        using base = layer<over, Upstream, detail::held_by_process<Upstream>>;
        friend base;

    public:
        using base::base;

    private:
        template <class How>
        void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
        {
            if (!this->holder().is_in_its_process()) {
                return how.refuse(wrong_process(bytes, alignment, this->holder().owner()));
            }
            this->holder().notice_exit();
            return how.allocate(this->upstream(), bytes, alignment);
        }
        template <class How>
        void deallocate_by(How how, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
        {
            if (this->holder().may_be_called()) {
                how.deallocate(this->upstream(), pointer, bytes, alignment);
            }
        }
    };
};

}  // namespace tidepool
