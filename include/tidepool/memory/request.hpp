#pragma once

// What every source checks of a request, and how a request may be made.

#include "../core/checked.hpp"
#include "errors.hpp"
#include "fallible_resource.hpp"
#include "stream_ordered_resource.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace tidepool {

/// `value` rounded up to a multiple of a power of two, or nothing when that does not fit.
[[nodiscard]] constexpr std::optional<std::size_t> checked_align_up(std::size_t value, std::size_t alignment) noexcept
{
    const auto sum = checked_add(value, alignment - 1);
    return sum ? std::optional(*sum & ~(alignment - 1)) : std::nullopt;
}

static_assert(checked_align_up(5, 8) == 8U && checked_align_up(8, 8) == 8U && checked_align_up(0, 8) == 0U);
static_assert(!checked_align_up(SIZE_MAX - 2, 8));

/// No object is larger: differences of pointers must fit.
inline constexpr std::size_t greatest_request = std::numeric_limits<std::ptrdiff_t>::max();

/// How a request was made: what an adaptor does once serves all of a resource's spellings.
///
/// `allocate` and `deallocate` ask a resource in the same way; `attempt` is an `allocate` that gives a null pointer where memory ran
/// out; `refuse` says no in the way in which the request expects it.
namespace request {

namespace detail {

/// `ask()`, or null where it threw that memory ran out. Without exceptions it would have ended the program.
template <class Ask>
[[nodiscard]] void* null_when_out_of_memory(Ask ask)
{
#if defined(__cpp_exceptions)
    try {
        return ask();
    } catch (const out_of_memory&) {
        return nullptr;
    }
#else
    return ask();
#endif
}

}  // namespace detail

struct synchronous {
    template <memory_resource R>
    [[nodiscard]] static void* allocate(R& resource, std::size_t bytes, std::size_t alignment)
    {
        return resource.allocate_sync(bytes, alignment);
    }
    template <memory_resource R>
    [[nodiscard]] static void* attempt(R& resource, std::size_t bytes, std::size_t alignment)
    {
        if constexpr (fallible_resource<R>) {
            return resource.try_allocate(bytes, alignment);
        } else {
            return detail::null_when_out_of_memory([&] { return resource.allocate_sync(bytes, alignment); });
        }
    }
    template <memory_resource R>
    static void deallocate(R& resource, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
    {
        resource.deallocate_sync(pointer, bytes, alignment);
    }
    template <class Error>
    [[noreturn]] static void* refuse(const Error& why)
    {
        tidepool::detail::raise(why);
    }
};

struct in_stream_order {
    stream_view stream;

    template <stream_ordered_resource R>
    [[nodiscard]] void* allocate(R& resource, std::size_t bytes, std::size_t alignment) const
    {
        return resource.allocate(stream, bytes, alignment);
    }
    template <stream_ordered_resource R>
    [[nodiscard]] void* attempt(R& resource, std::size_t bytes, std::size_t alignment) const
    {
        return detail::null_when_out_of_memory([&] { return resource.allocate(stream, bytes, alignment); });
    }
    template <stream_ordered_resource R>
    void deallocate(R& resource, void* pointer, std::size_t bytes, std::size_t alignment) const noexcept
    {
        resource.deallocate(stream, pointer, bytes, alignment);
    }
    template <class Error>
    [[noreturn]] static void* refuse(const Error& why)
    {
        tidepool::detail::raise(why);
    }
};

struct without_throwing {
    template <fallible_resource R>
    [[nodiscard]] static void* allocate(R& resource, std::size_t bytes, std::size_t alignment) noexcept
    {
        return resource.try_allocate(bytes, alignment);
    }
    template <fallible_resource R>
    [[nodiscard]] static void* attempt(R& resource, std::size_t bytes, std::size_t alignment) noexcept
    {
        return resource.try_allocate(bytes, alignment);
    }
    template <memory_resource R>
    static void deallocate(R& resource, void* pointer, std::size_t bytes, std::size_t alignment) noexcept
    {
        resource.deallocate_sync(pointer, bytes, alignment);
    }
    template <class Error>
    [[nodiscard]] static void* refuse(const Error&) noexcept
    {
        return nullptr;
    }
};

}  // namespace request
}  // namespace tidepool
