#pragma once

// Free blocks of one size, and the chunks that they are parts of.

#include "errors.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace tidepool {

/// A stack of free blocks, the last one given back on top. It lies in plain memory beside the blocks, never in them, with room for
/// all blocks of all chunks, so that `push` never asks for memory. Thread safety: none.
class block_stack {
public:
    struct chunk {
        std::byte* begin;
        std::size_t bytes;
    };

    block_stack() = default;
    block_stack(const block_stack&) = delete;
    block_stack& operator=(const block_stack&) = delete;

    [[nodiscard]] bool empty() const noexcept { return top_ == free_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(top_ - free_.get()); }
    [[nodiscard]] const std::vector<chunk>& chunks() const noexcept { return chunks_; }

    /// Not when empty.
    [[nodiscard]] void* pop() noexcept { return *--top_; }
    void push(void* block) noexcept { *top_++ = static_cast<std::byte*>(block); }

    /// Makes room for a chunk of so many blocks. False, and nothing happens, where there is no memory for that.
    [[nodiscard]] bool reserve(std::size_t blocks) noexcept
    {
        if (detail::throws([&] { chunks_.reserve(chunks_.size() + 1); })) {
            return false;
        }
        std::unique_ptr<std::byte*[]> grown(new (std::nothrow) std::byte*[blocks_ + blocks]);
        if (grown == nullptr) {
            return false;
        }
        std::byte** const top = std::copy(free_.get(), top_, grown.get());
        free_ = std::move(grown);
        top_ = top;
        return true;
    }
    /// After `reserve(bytes / block_bytes)`.
    void add(chunk added, std::size_t block_bytes) noexcept
    {
        chunks_.push_back(added);
        const std::size_t blocks = added.bytes / block_bytes;
        blocks_ += blocks;
        for (std::size_t block = blocks; block-- > 0;) {  // the lowest on top
            push(added.begin + block * block_bytes);
        }
    }

    /// Gives the chunks all of whose blocks are free to `take(chunk)`, as long as that returns true. Sorts the stack.
    template <class Take>
    void release_idle(std::size_t block_bytes, Take take) noexcept
    {
        std::sort(free_.get(), top_, [](const std::byte* left, const std::byte* right) { return left > right; });
        const auto is_in = [](const chunk& c) {
            return [&c](const std::byte* block) { return !std::less<const std::byte*>()(block, c.begin) && block < c.begin + c.bytes; };
        };
        std::erase_if(chunks_, [&](const chunk& c) {
            const std::size_t blocks = c.bytes / block_bytes;
            if (static_cast<std::size_t>(std::count_if(free_.get(), top_, is_in(c))) < blocks || !take(c)) {
                return false;
            }
            top_ = std::remove_if(free_.get(), top_, is_in(c));
            blocks_ -= blocks;
            return true;
        });
    }

private:
    std::unique_ptr<std::byte*[]> free_;
    std::byte** top_ = nullptr;
    std::size_t blocks_ = 0;  ///< of all chunks
    std::vector<chunk> chunks_;
};

}  // namespace tidepool
