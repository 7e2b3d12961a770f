#pragma once

// Memory on a directory: what a file on it holds, and the page cache in front of it.

#include "../../core/size_in_bytes.hpp"
#include "../address_space.hpp"
#include "../bounded_resource.hpp"
#include "../directory_error.hpp"
#include "../owning_resource.hpp"
#include "../properties.hpp"
#include "../source.hpp"
#include "../temporary_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tidepool {

namespace detail {

/// Addresses that show a file, the part behind its end included: that may be touched once the file has grown. A child of fork()
/// does not have them.
class file_mapping {
public:
    file_mapping(const temporary_file& file, std::size_t bytes, std::size_t alignment, const std::string& directory) : bytes_(bytes)
    {
        if (!map(file.descriptor(), alignment)) {
            raise(directory_error("map a file", directory, errno));
        }
    }
    file_mapping(const file_mapping&) = delete;
    file_mapping& operator=(const file_mapping&) = delete;
    ~file_mapping()
    {
        if (::getpid() == owner_) {  // in a child, others may be at these addresses by now
            ::munmap(start_, bytes_);
        }
    }

    [[nodiscard]] std::byte* start() const noexcept { return start_; }

private:
    [[nodiscard]] bool map(int descriptor, std::size_t alignment) noexcept
    {
        const auto reserved = checked_add(bytes_, alignment);
        if (!reserved) {
            errno = ENOMEM;
            return false;
        }
        void* const all = ::mmap(nullptr, *reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) {
            return false;
        }
        const std::size_t before = (alignment - (reinterpret_cast<std::uintptr_t>(all) & (alignment - 1))) & (alignment - 1);
        start_ = static_cast<std::byte*>(all) + before;
        if (::mmap(start_, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED ||
            ::madvise(start_, bytes_, MADV_DONTFORK) != 0) {
            const int failed = errno;
            ::munmap(all, *reserved);
            errno = failed;
            return false;
        }
        if (before != 0) {
            ::munmap(all, before);
        }
        ::munmap(start_ + bytes_, alignment - before);
        return true;
    }

    std::byte* start_ = nullptr;
    std::size_t bytes_;
    pid_t owner_ = ::getpid();
};

}  // namespace detail

/// Memory in an unnamed file on a directory: for a persistent memory module or a fast disk, where memkind is not wanted.
///
/// Best fit over the file; what it knows of its blocks is in plain memory. Blocks are multiples of 64 bytes, so that no two share
/// a line of the cache. The filesystem sets the bytes aside before they are handed out, so that a full disk is an error and never
/// a SIGBUS (a filesystem that copies on write may not keep that promise). Given back blocks stay in the file.
///
/// The directory is needed only while the memory is made: it may be renamed or removed afterwards. A child of fork() has no such
/// memory: touching it there is a segmentation fault (put `process_bound` in front to have its requests refused), and destroying
/// it there does nothing to the parent's.
///
/// Errors: `directory_error` when it cannot be made; `tier_full`; `filesystem_full` when the file would have to grow and cannot;
/// `bad_alignment` above 2 MiB. Time: as `address_space`. Equal to itself only. Thread safety: none.
class mapped_file_memory : public source<mapped_file_memory> {
public:
    using properties = property_list<host_accessible, file_backed>;
    static constexpr const char* name = "mapped file";
    static constexpr std::size_t greatest_alignment() noexcept { return std::size_t{1} << 21U; }

    /// Sets all of `capacity` aside now. It is rounded up to whole pages, one at least.
    mapped_file_memory(const std::string& directory, size_in_bytes capacity) : mapped_file_memory(directory, capacity, capacity) {}

    /// Sets `at_first` aside now; the file grows as it is needed, up to `capacity`.
    mapped_file_memory(const std::string& directory, size_in_bytes capacity, size_in_bytes at_first)
        : file_(directory),
          capacity_(whole_pages(capacity, directory)),
          mapping_(file_, capacity_, greatest_alignment(), directory),
          space_(0)
    {
        if (const int failed = grow(std::min(whole_pages(at_first, directory), capacity_)); failed != 0) {
            detail::raise(directory_error("set bytes aside for a file", directory, failed));
        }
    }
    mapped_file_memory(const mapped_file_memory&) = delete;
    mapped_file_memory& operator=(const mapped_file_memory&) = delete;

    [[nodiscard]] bool owns(const void* pointer) const noexcept { return space_.size_of(offset_of(pointer)) != 0; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::size_t available() const noexcept { return capacity_ - space_.capacity() + space_.free_bytes(); }
    /// Bytes that the filesystem has set aside.
    [[nodiscard]] std::size_t reserved() const noexcept { return file_.size(); }

    friend bool operator==(const mapped_file_memory& left, const mapped_file_memory& right) noexcept { return &left == &right; }

private:
    friend class source<mapped_file_memory>;

    static constexpr std::size_t granule = 64;
    static constexpr std::size_t page = 4096;  // for sizes only: a larger one of the system does no harm
    static constexpr std::size_t step = std::size_t{1} << 21U;

    template <class How>
    void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
    {
        const std::size_t rounded = checked_align_up(bytes, granule).value_or(bytes);
        auto offset = space_.take(rounded, alignment);
        if (!offset && rounded <= available()) {
            if (const int failed = grow_for(rounded, alignment); failed == ENOSPC || failed == EDQUOT) {
                return how.refuse(filesystem_full(full(bytes, alignment), file_.filesystem_available()));
            }
            offset = space_.take(rounded, alignment);
        }
        return offset ? mapping_.start() + *offset : how.refuse(full(bytes, alignment));
    }
    template <class How>
    void deallocate_by(How, void* pointer, std::size_t, std::size_t) noexcept
    {
        space_.give(offset_of(pointer));
    }

    /// A step, so that small requests do not each ask the filesystem; where there is no room for that, what is needed.
    int grow_for(std::size_t bytes, std::size_t alignment) noexcept
    {
        const std::size_t left = capacity_ - file_.size();
        const std::size_t needed = std::min(checked_align_up(saturating_add(bytes, alignment), page).value_or(left), left);
        const std::size_t wanted = std::min(std::max(needed, step), left);
        const int failed = grow(wanted);
        return failed != 0 && needed < wanted ? grow(needed) : failed;
    }
    int grow(std::size_t bytes) noexcept
    {
        if (bytes == 0) {
            return 0;
        }
        const int failed = file_.extend(bytes);
        return failed == 0 && !space_.grow(bytes) ? ENOMEM : failed;
    }

    [[nodiscard]] tier_full full(std::size_t bytes, std::size_t alignment) const noexcept
    {
        return {name, bytes, alignment, capacity_, available()};
    }
    [[nodiscard]] std::size_t offset_of(const void* pointer) const noexcept
    {
        return reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(mapping_.start());
    }
    [[nodiscard]] static std::size_t whole_pages(size_in_bytes bytes, const std::string& directory)
    {
        const auto rounded = checked_align_up(std::max(bytes.value(), page), page);
        if (!rounded || *rounded > greatest_request) {
            detail::raise(directory_error("set bytes aside for a file", directory, EFBIG));
        }
        return *rounded;
    }

    temporary_file file_;
    std::size_t capacity_;
    detail::file_mapping mapping_;
    address_space space_;
};

static_assert(fallible_resource<mapped_file_memory> && bounded_resource<mapped_file_memory> && owning_resource<mapped_file_memory>);
static_assert(has_property<mapped_file_memory, file_backed> && !has_property<mapped_file_memory, thread_safe>);

}  // namespace tidepool
