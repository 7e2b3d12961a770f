#pragma once

// The kinds of memory that memkind knows: high bandwidth, high capacity, low latency. Needs the component memkind.

#include "../properties.hpp"
#include "../source.hpp"

#include <memkind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace tidepool {

/// A kind, as memkind(3) describes it. Whether this machine has it is known only when the program runs.
enum class memkind_kind : std::uint8_t {
    standard,  ///< MEMKIND_DEFAULT
    regular,   ///< DRAM, where there is other memory too
    huge_pages,
    interleave,
    hbw,
    hbw_all,
    hbw_preferred,
    hbw_huge_pages,
    hbw_all_huge_pages,
    hbw_preferred_huge_pages,
    hbw_interleave,
    dax_kmem,
    dax_kmem_all,
    dax_kmem_preferred,
    dax_kmem_interleave,
    highest_capacity,
    highest_capacity_preferred,
    highest_capacity_local,
    highest_capacity_local_preferred,
    lowest_latency_local,
    lowest_latency_local_preferred,
    highest_bandwidth_local,
    highest_bandwidth_local_preferred,
};

/// This machine has no memory of the kind that `resource` names.
class kind_unavailable : public allocation_error {
public:
    kind_unavailable(const char* kind, std::size_t bytes_asked, std::size_t alignment_asked, int memkind_status) noexcept
        : allocation_error("tidepool: this machine has no memory of the kind", kind, bytes_asked, alignment_asked), status(memkind_status)
    {
    }

    int status;  ///< what memkind_check_available said
};

namespace detail {

struct known_kind {
    memkind_t* handle;  // a variable of memkind's, set when that library starts
    const char* name;
};

/// In the order of `memkind_kind`.
inline constexpr known_kind known_kinds[] = {
    {&MEMKIND_DEFAULT, "MEMKIND_DEFAULT"},
    {&MEMKIND_REGULAR, "MEMKIND_REGULAR"},
    {&MEMKIND_HUGETLB, "MEMKIND_HUGETLB"},
    {&MEMKIND_INTERLEAVE, "MEMKIND_INTERLEAVE"},
    {&MEMKIND_HBW, "MEMKIND_HBW"},
    {&MEMKIND_HBW_ALL, "MEMKIND_HBW_ALL"},
    {&MEMKIND_HBW_PREFERRED, "MEMKIND_HBW_PREFERRED"},
    {&MEMKIND_HBW_HUGETLB, "MEMKIND_HBW_HUGETLB"},
    {&MEMKIND_HBW_ALL_HUGETLB, "MEMKIND_HBW_ALL_HUGETLB"},
    {&MEMKIND_HBW_PREFERRED_HUGETLB, "MEMKIND_HBW_PREFERRED_HUGETLB"},
    {&MEMKIND_HBW_INTERLEAVE, "MEMKIND_HBW_INTERLEAVE"},
    {&MEMKIND_DAX_KMEM, "MEMKIND_DAX_KMEM"},
    {&MEMKIND_DAX_KMEM_ALL, "MEMKIND_DAX_KMEM_ALL"},
    {&MEMKIND_DAX_KMEM_PREFERRED, "MEMKIND_DAX_KMEM_PREFERRED"},
    {&MEMKIND_DAX_KMEM_INTERLEAVE, "MEMKIND_DAX_KMEM_INTERLEAVE"},
    {&MEMKIND_HIGHEST_CAPACITY, "MEMKIND_HIGHEST_CAPACITY"},
    {&MEMKIND_HIGHEST_CAPACITY_PREFERRED, "MEMKIND_HIGHEST_CAPACITY_PREFERRED"},
    {&MEMKIND_HIGHEST_CAPACITY_LOCAL, "MEMKIND_HIGHEST_CAPACITY_LOCAL"},
    {&MEMKIND_HIGHEST_CAPACITY_LOCAL_PREFERRED, "MEMKIND_HIGHEST_CAPACITY_LOCAL_PREFERRED"},
    {&MEMKIND_LOWEST_LATENCY_LOCAL, "MEMKIND_LOWEST_LATENCY_LOCAL"},
    {&MEMKIND_LOWEST_LATENCY_LOCAL_PREFERRED, "MEMKIND_LOWEST_LATENCY_LOCAL_PREFERRED"},
    {&MEMKIND_HIGHEST_BANDWIDTH_LOCAL, "MEMKIND_HIGHEST_BANDWIDTH_LOCAL"},
    {&MEMKIND_HIGHEST_BANDWIDTH_LOCAL_PREFERRED, "MEMKIND_HIGHEST_BANDWIDTH_LOCAL_PREFERRED"},
};
static_assert(std::size(known_kinds) == static_cast<std::size_t>(memkind_kind::highest_bandwidth_local_preferred) + 1);

/// Null when memkind has no such bytes.
[[nodiscard]] inline void* memkind_aligned(memkind_t kind, std::size_t bytes, std::size_t alignment) noexcept
{
    void* pointer = nullptr;
    return ::memkind_posix_memalign(kind, &pointer, std::max(alignment, sizeof(void*)), bytes) == 0 ? pointer : nullptr;
}

}  // namespace detail

/// Memory of one kind. Two are equal if their kinds are.
///
/// The kind is asked for, never assumed: making one always succeeds. Errors: `kind_unavailable`, which names the kind;
/// `out_of_memory`; `bad_alignment` above 1 GiB. Thread safety: memkind's, full.
class memkind_memory : public source<memkind_memory> {
public:
    using properties = property_list<host_accessible, thread_safe>;
    static constexpr const char* name = "memkind memory";
    static constexpr std::size_t greatest_alignment() noexcept { return std::size_t{1} << 30U; }

    explicit memkind_memory(memkind_kind kind = memkind_kind::standard) noexcept : kind_(kind), available_(is_available()) {}

    [[nodiscard]] memkind_kind kind() const noexcept { return kind_; }
    /// As memkind spells it: "MEMKIND_HBW".
    [[nodiscard]] const char* kind_name() const noexcept { return known().name; }
    /// Whether this machine has such memory now. Asks memkind, each time.
    [[nodiscard]] bool is_available() const noexcept { return status() == 0; }

    friend bool operator==(const memkind_memory& left, const memkind_memory& right) noexcept { return left.kind_ == right.kind_; }

private:
    friend class source<memkind_memory>;

    template <class How>
    void* allocate_by(How how, std::size_t bytes, std::size_t alignment) const
    {
        if (!available_) {  // pages or modules may have come since
            if (const int refused = status(); refused != 0) {
                return how.refuse(kind_unavailable(kind_name(), bytes, alignment, refused));
            }
        }
        void* const pointer = detail::memkind_aligned(handle(), bytes, alignment);
        return pointer != nullptr ? pointer : how.refuse(out_of_memory(kind_name(), bytes, alignment));
    }
    template <class How>
    void deallocate_by(How, void* pointer, std::size_t, std::size_t) const noexcept
    {
        ::memkind_free(handle(), pointer);  // without the kind, memkind would look for it, and crash where there is none
    }

    [[nodiscard]] const detail::known_kind& known() const noexcept { return detail::known_kinds[static_cast<std::size_t>(kind_)]; }
    [[nodiscard]] memkind_t handle() const noexcept { return *known().handle; }
    [[nodiscard]] int status() const noexcept { return ::memkind_check_available(handle()); }

    memkind_kind kind_;
    bool available_;
};

static_assert(fallible_resource<memkind_memory> && has_property<memkind_memory, thread_safe>);

}  // namespace tidepool
