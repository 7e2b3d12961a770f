#pragma once

// A heap of memkind's on a directory of persistent memory. Needs the component memkind.

#include "../../core/error.hpp"
#include "../../core/size_in_bytes.hpp"
#include "../adaptors/process_bound.hpp"
#include "../bounded_resource.hpp"
#include "../directory_error.hpp"
#include "../private_in_children.hpp"
#include "../properties.hpp"
#include "../source.hpp"
#include "../temporary_file.hpp"
#include "memkind_memory.hpp"

#include <fcntl.h>
#include <memkind.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <string>

namespace tidepool {

/// memkind makes no heap as small as this.
class heap_too_small : public error {
public:
    heap_too_small(std::size_t bytes_asked, std::size_t least_bytes) noexcept
        : error("tidepool: memkind makes no PMEM heap as small as this"), asked(bytes_asked), least(least_bytes)
    {
    }

    std::size_t asked;  ///< bytes
    std::size_t least;  ///< bytes
};

/// memkind has no room for another kind: their number is bounded by jemalloc's arenas.
class kind_not_made : public error {
public:
    explicit kind_not_made(int memkind_status) noexcept : error("tidepool: memkind could not make another kind"), status(memkind_status) {}

    int status;  ///< what memkind_create_pmem said: MEMKIND_ERROR_ARENAS_CREATE, MEMKIND_ERROR_TOOMANY, …
};

/// A heap of `memkind_create_pmem`: jemalloc over an unnamed file on a directory, mapped directly where the filesystem is DAX.
///
/// The directory is needed only while the heap is made. Blocks have headers and padding in the file, and jemalloc asks for it in
/// steps that grow: `usable_capacity()` says what is left for blocks. A block costs 160 to 240 ns; put a pool in front.
/// The file's length only ever grows; the bytes that it occupies are bounded, as holes are punched into it.
///
/// A child of fork() may read the blocks that there were; what it writes stays its own, its requests are refused with
/// `wrong_process`, and what it gives back or destroys stays the parent's. A static object is destroyed at exit() like any other,
/// and its file with it: memkind's own end comes later, so that is in order; blocks must not be used after it. No heap survives
/// its process, in whatever way that ends.
///
/// Errors, when made: `heap_too_small`, `directory_error` (not there, no permission, full, no holes can be punched: memkind would
/// abort), `kind_not_made`. Later: `tier_full`; `filesystem_full` where the disk and not the heap is full; `bad_alignment` above
/// 2 MiB. Equal to itself only. Thread safety: memkind's, full.
class pmem_memory : public source<pmem_memory> {
public:
    using properties = property_list<host_accessible, file_backed, thread_safe>;
    static constexpr const char* name = "memkind PMEM";
    static constexpr std::size_t greatest_alignment() noexcept { return std::size_t{1} << 21U; }
    static constexpr std::size_t least_size = MEMKIND_PMEM_MIN_SIZE;

    pmem_memory(const std::string& directory, size_in_bytes size)
        : capacity_(at_least(size.value())),
          probe_(directory),
          guard_([&] {
              require_holes(probe_, directory);
              kind_ = make(directory, capacity_);
          }),
          is_dax_(::memkind_check_dax_path(directory.c_str()) == 0)
    {
    }
    pmem_memory(const pmem_memory&) = delete;
    pmem_memory& operator=(const pmem_memory&) = delete;
    ~pmem_memory()
    {
        if (is_in_its_process()) {
            ::memkind_destroy_kind(kind_);
        }
    }

    /// Bytes of the heap, block headers and padding included: nobody gets more.
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// `capacity()` without the blocks that are handed out, as they were asked for.
    [[nodiscard]] std::size_t available() const noexcept { return capacity_ - std::min(capacity_, used_.load(std::memory_order_relaxed)); }

    /// Bytes that one thread gets from an empty heap in blocks of `block` bytes, before it is full: 53 MiB of 64 for 1 MiB.
    ///
    /// Found by doing as jemalloc does. It takes the file in pieces of its size classes (2, 2.5, 3, 3.5, 4, 5, 6, … MiB), each
    /// once; a piece holds whole blocks, each rounded to a size class and, from 16 KiB, with a page of padding. Where the next piece
    /// does not fit any more, blocks are taken one by one. Other threads may have other arenas, each of which starts anew: then it
    /// is less. Takes logarithmic time.
    [[nodiscard]] std::size_t usable_capacity(size_in_bytes block = std::size_t{1} << 20U) const noexcept
    {
        const std::size_t needed = in_the_file(block.value());
        std::size_t blocks = 0;
        std::size_t left = capacity_;
        for (std::size_t piece = size_class(std::max(needed, first_piece)); piece <= left; piece = size_class(piece + 1)) {
            blocks += piece / needed;
            left -= piece;
        }
        return (blocks + left / needed) * block.value();
    }

    /// Whether loads and stores reach the memory module without the page cache between.
    [[nodiscard]] bool is_dax() const noexcept { return is_dax_; }

    friend bool operator==(const pmem_memory& left, const pmem_memory& right) noexcept { return &left == &right; }

private:
    friend class source<pmem_memory>;

    static constexpr std::size_t page = 4096;
    static constexpr std::size_t first_piece = std::size_t{1} << 21U;
    static constexpr std::size_t first_large = std::size_t{1} << 14U;

    template <class How>
    void* allocate_by(How how, std::size_t bytes, std::size_t alignment)
    {
        if (!is_in_its_process()) {
            return how.refuse(wrong_process(bytes, alignment, owner_));
        }
        if (bytes <= capacity_) {
            if (void* const pointer = detail::memkind_aligned(kind_, bytes, alignment)) {
                used_.fetch_add(bytes, std::memory_order_relaxed);
                return pointer;
            }
        }
        const tier_full full(name, bytes, alignment, capacity_, available());  // memkind says ENOMEM to all
        const std::size_t on_disk = probe_.filesystem_available();
        return bytes <= full.available && on_disk < in_the_file(bytes) ? how.refuse(filesystem_full(full, on_disk)) : how.refuse(full);
    }
    template <class How>
    void deallocate_by(How, void* pointer, std::size_t bytes, std::size_t) noexcept
    {
        if (is_in_its_process()) {
            ::memkind_free(kind_, pointer);
            used_.fetch_sub(bytes, std::memory_order_relaxed);
        }
    }

    [[nodiscard]] bool is_in_its_process() const noexcept { return ::getpid() == owner_; }

    /// jemalloc's, for sizes that matter here: four to a doubling.
    [[nodiscard]] static constexpr std::size_t size_class(std::size_t bytes) noexcept
    {
        const std::size_t spacing = std::max(std::bit_floor(std::max(bytes, std::size_t{2}) - 1) / 4, std::size_t{16});
        return (bytes + spacing - 1) / spacing * spacing;
    }
    /// What a block of so many bytes takes of the file.
    [[nodiscard]] static constexpr std::size_t in_the_file(std::size_t block) noexcept
    {
        const std::size_t rounded = size_class(std::max(block, std::size_t{1}));
        return rounded < first_large ? rounded : rounded + page;
    }

    [[nodiscard]] static std::size_t at_least(std::size_t size)
    {
        if (size < least_size) {
            detail::raise(heap_too_small(size, least_size));
        }
        return size;
    }
    /// memkind gives memory back by punching holes, and ends the program where it cannot.
    static void require_holes(temporary_file& probe, const std::string& directory)
    {
        if (const int failed = probe.extend(page); failed != 0) {
            detail::raise(directory_error("set bytes aside for a file", directory, failed));
        }
        if (::fallocate(probe.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(page)) != 0) {
            detail::raise(directory_error("punch a hole into a file", directory, errno));
        }
    }
    [[nodiscard]] static memkind_t make(const std::string& directory, std::size_t size)
    {
        memkind_t kind = nullptr;
        if (const int status = ::memkind_create_pmem(directory.c_str(), size, &kind); status != 0) {
            detail::raise(kind_not_made(status));
        }
        return kind;
    }

    pid_t owner_ = ::getpid();
    std::size_t capacity_;
    temporary_file probe_;  // kept, for what the filesystem has free
    memkind_t kind_ = nullptr;
    detail::private_in_children guard_;
    bool is_dax_;
    std::atomic<std::size_t> used_{0};
};

static_assert(fallible_resource<pmem_memory> && bounded_resource<pmem_memory>);
static_assert(has_property<pmem_memory, file_backed> && has_property<pmem_memory, thread_safe>);

}  // namespace tidepool
