#pragma once

// A source of your own: memory straight from the system, in huge pages where it has them.

#include <tidepool/memory/properties.hpp>
#include <tidepool/memory/source.hpp>

#include <sys/mman.h>

#include <cstddef>

/// Each request is a mapping of its own, so it is for large ones: put `pooled` before it. Thread safety: the system's, full.
class huge_page_memory : public tidepool::source<huge_page_memory> {
public:
    using properties = tidepool::property_list<tidepool::host_accessible, tidepool::thread_safe>;
    static constexpr const char* name = "huge pages";
    static constexpr std::size_t greatest_alignment() noexcept { return 4096; }

    friend bool operator==(const huge_page_memory&, const huge_page_memory&) noexcept { return true; }

private:
    friend class tidepool::source<huge_page_memory>;

    template <class How>
    static void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
    {
        void* const pointer = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pointer == MAP_FAILED) {
            return how.refuse(tidepool::out_of_memory(name, bytes, alignment));
        }
        ::madvise(pointer, bytes, MADV_HUGEPAGE);  // only advice: where it is not taken, pages are small
        return pointer;
    }
    template <class How>
    static void deallocate_by(How, void* pointer, std::size_t bytes, std::size_t) noexcept
    {
        ::munmap(pointer, bytes);
    }
};

static_assert(tidepool::fallible_resource<huge_page_memory>);
