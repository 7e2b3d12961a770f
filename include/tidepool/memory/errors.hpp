#pragma once

// Why there are no bytes.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace tidepool {

/// Base of the errors of allocation. A `std::bad_alloc`, so that containers and engines understand it; it cannot be a
/// `tidepool::error` too, for then nobody could catch it as `std::exception`.
///
/// Making, copying and reading one allocates nothing. All texts are literals.
class allocation_error : public std::bad_alloc {
public:
    allocation_error(const char* text, const char* of, std::size_t bytes_asked, std::size_t alignment_asked) noexcept
        : resource(of), bytes(bytes_asked), alignment(alignment_asked), text_(text)
    {
    }

    [[nodiscard]] const char* what() const noexcept override { return text_; }

    const char* resource;   ///< who refused: "host memory"
    std::size_t bytes;      ///< asked
    std::size_t alignment;  ///< asked

private:
    const char* text_;
};

/// The source has nothing left that would do.
class out_of_memory : public allocation_error {
public:
    out_of_memory(const char* of, std::size_t bytes_asked, std::size_t alignment_asked) noexcept
        : out_of_memory("tidepool: out of memory", of, bytes_asked, alignment_asked)
    {
    }

protected:
    using allocation_error::allocation_error;
};

/// A tier of fixed size has no room: no hole, or no bytes.
class tier_full : public out_of_memory {
public:
    tier_full(const char* of, std::size_t bytes_asked, std::size_t alignment_asked, std::size_t tier_capacity,
              std::size_t tier_available) noexcept
        : out_of_memory("tidepool: the tier is full", of, bytes_asked, alignment_asked), capacity(tier_capacity), available(tier_available)
    {
    }

    std::size_t capacity;   ///< bytes
    std::size_t available;  ///< bytes, perhaps not in one piece
};

/// A bound, not the memory behind it, refuses a request.
class over_limit : public out_of_memory {
public:
    over_limit(std::size_t bytes_asked, std::size_t alignment_asked, std::size_t bytes_used, std::size_t bytes_limit) noexcept
        : out_of_memory("tidepool: the request would exceed the limit", "limit", bytes_asked, alignment_asked),
          used(bytes_used),
          limit(bytes_limit)
    {
    }

    std::size_t used;   ///< bytes, before the request
    std::size_t limit;  ///< bytes
};

/// No power of two, or more than the source can give.
class bad_alignment : public allocation_error {
public:
    bad_alignment(const char* of, std::size_t bytes_asked, std::size_t alignment_asked, std::size_t greatest_given) noexcept
        : allocation_error("tidepool: the source cannot align so", of, bytes_asked, alignment_asked), greatest(greatest_given)
    {
    }

    std::size_t greatest;  ///< bytes
};

namespace detail {

/// Throws; where exceptions are off, says why and ends the program.
template <class Error>
[[noreturn]] void raise(const Error& refused)
{
#if defined(__cpp_exceptions)
    throw refused;
#else
    std::fputs(refused.what(), stderr);
    std::fputc('\n', stderr);
    std::abort();
#endif
}

/// Whether `work()` throws, for what must not.
template <class Work>
[[nodiscard]] bool throws(Work work) noexcept
{
#if defined(__cpp_exceptions)
    try {
        work();
    } catch (...) {
        return true;
    }
#else
    work();
#endif
    return false;
}

}  // namespace detail
}  // namespace tidepool
