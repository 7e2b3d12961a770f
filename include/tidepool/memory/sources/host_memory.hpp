#pragma once

// The process's heap.

#include "../properties.hpp"
#include "../source.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

namespace tidepool {

/// Plain memory, from `operator new`. All of its objects are equal.
///
/// Errors: `out_of_memory`; `bad_alignment` for what is no power of two, or above 1 GiB. Thread safety: as the heap's, full.
class host_memory : public source<host_memory> {
public:
    using properties = property_list<host_accessible, thread_safe>;
    static constexpr const char* name = "host memory";
    static constexpr std::size_t greatest_alignment() noexcept { return std::size_t{1} << 30U; }

    friend constexpr bool operator==(const host_memory&, const host_memory&) noexcept { return true; }

private:
    friend class source<host_memory>;

    template <class How>
    static void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
    {
        void* const pointer = ::operator new(bytes, at_least(alignment), std::nothrow);
        return pointer != nullptr ? pointer : how.refuse(out_of_memory(name, bytes, alignment));
    }
    template <class How>
    static void deallocate_by(How, void* pointer, std::size_t, std::size_t alignment) noexcept
    {
        ::operator delete(pointer, at_least(alignment));
    }
    /// Below it the C library would refuse.
    static constexpr std::align_val_t at_least(std::size_t alignment) noexcept
    {
        return std::align_val_t(std::max(alignment, alignof(std::max_align_t)));
    }
};

static_assert(fallible_resource<host_memory> && has_property<host_memory, thread_safe>);

}  // namespace tidepool
