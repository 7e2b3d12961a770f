#pragma once

// A table of what is handed out, kept beside the memory and not in it.

#include <boost/intrusive/set.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <utility>

namespace tidepool {

/// Blocks by address, each with what `Note` says of it. `reserve` before the upstream is asked, `insert` once it has answered, so
/// that a table that cannot grow loses no block. Only `reserve` allocates. O(log n). Thread safety: none.
template <class Note>
class live_blocks {
public:
    struct block : boost::intrusive::set_base_hook<boost::intrusive::optimize_size<true>> {
        const void* pointer = nullptr;
        std::size_t bytes = 0;
        std::size_t alignment = 0;
        Note note{};
    };
    using reserved = std::unique_ptr<block>;

    live_blocks() = default;
    live_blocks(const live_blocks&) = delete;
    live_blocks& operator=(const live_blocks&) = delete;
    ~live_blocks() { blocks_.clear_and_dispose(std::default_delete<block>()); }

    /// Null where there is no memory for it.
    [[nodiscard]] static reserved reserve(Note note = {}) noexcept
    {
        reserved made(new (std::nothrow) block);
        if (made != nullptr) {
            made->note = std::move(note);
        }
        return made;
    }
    /// False, and nothing changes, where `pointer` is in the table already.
    bool insert(reserved& made, const void* pointer, std::size_t bytes, std::size_t alignment) noexcept
    {
        made->pointer = pointer;
        made->bytes = bytes;
        made->alignment = alignment;
        if (!blocks_.insert(*made).second) {
            return false;
        }
        made.release();
        return true;
    }
    [[nodiscard]] const block* find(const void* pointer) const noexcept
    {
        const auto found = blocks_.find(pointer);
        return found == blocks_.end() ? nullptr : &*found;
    }
    /// Takes a block out; null where it is not there.
    [[nodiscard]] reserved extract(const void* pointer) noexcept
    {
        const auto found = blocks_.find(pointer);
        if (found == blocks_.end()) {
            return nullptr;
        }
        block& out = *found;
        blocks_.erase(found);
        return reserved(&out);
    }

    [[nodiscard]] std::size_t size() const noexcept { return blocks_.size(); }
    [[nodiscard]] auto begin() const noexcept { return blocks_.begin(); }
    [[nodiscard]] auto end() const noexcept { return blocks_.end(); }

private:
    struct address_of {
        using type = const void*;
        const void* operator()(const block& b) const noexcept { return b.pointer; }
    };
    boost::intrusive::set<block, boost::intrusive::key_of_value<address_of>, boost::intrusive::compare<std::less<const void*>>> blocks_;
};

}  // namespace tidepool
