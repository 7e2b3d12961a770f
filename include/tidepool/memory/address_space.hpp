#pragma once

// Who has which addresses: bookkeeping without the memory itself.

#include "../core/checked.hpp"
#include "../core/size_in_bytes.hpp"
#include "request.hpp"

#include <boost/intrusive/set.hpp>

#include <cstddef>
#include <iterator>
#include <new>
#include <optional>
#include <utility>

namespace tidepool {

/// Hands out ranges of the addresses from 0 to `capacity()`: best fit, neighbouring holes joined at once. What it knows is in
/// plain memory of its own, one node for each block and each hole, never in the addresses that it manages.
///
/// Time: logarithmic in blocks and holes. `take` passes over holes that are long enough but fit no more once aligned; there are
/// none if all requests have one alignment and multiples of it as sizes. Errors: none; a `take` or `grow` that cannot get its
/// node says no. Thread safety: none.
class address_space {
public:
    /// Throws `std::bad_alloc`.
    explicit address_space(size_in_bytes capacity)
    {
        if (!grow(capacity.value())) {
            detail::raise(std::bad_alloc());
        }
    }
    address_space(const address_space&) = delete;
    address_space& operator=(const address_space&) = delete;
    ~address_space()
    {
        holes_.clear();
        blocks_.clear_and_dispose(dispose{});
    }

    /// The start of `bytes` free addresses (at least one) at a multiple of `alignment`, a power of two; nothing when there is no
    /// such range. Of all holes that fit, the smallest; among equals, the lowest.
    [[nodiscard]] std::optional<std::size_t> take(std::size_t bytes, std::size_t alignment) noexcept
    {
        if (bytes == 0) {
            return std::nullopt;
        }
        for (auto hole = holes_.lower_bound(extent{bytes, 0}, by_size{}); hole != holes_.end(); ++hole) {
            if (const auto offset = fits(*hole, bytes, alignment)) {
                return carve(*hole, *offset, bytes) ? offset : std::nullopt;
            }
        }
        return std::nullopt;
    }

    /// Takes back the block at `offset`, and returns its size. Where no block starts there, nothing happens, and the size is 0.
    std::size_t give(std::size_t offset) noexcept
    {
        const auto found = find_block(offset);
        if (found == blocks_.end()) {
            return 0;
        }
        const std::size_t bytes = found->bytes;
        free_bytes_ += bytes;
        become_hole(*found);
        return bytes;
    }

    /// The size of the block that starts at `offset`; 0 where none does.
    [[nodiscard]] std::size_t size_of(std::size_t offset) const noexcept
    {
        const auto found = find_block(offset);
        return found == blocks_.end() ? 0 : found->bytes;
    }

    /// Adds addresses at the end. False, and nothing happens, when there are no such addresses or no node.
    [[nodiscard]] bool grow(std::size_t bytes) noexcept
    {
        const auto capacity = checked_add(capacity_, bytes);
        if (!capacity || bytes == 0) {
            return capacity.has_value();
        }
        node* const added = new (std::nothrow) node(capacity_, bytes);
        if (added == nullptr) {
            return false;
        }
        blocks_.push_back(*added);
        capacity_ = *capacity;
        free_bytes_ += bytes;
        become_hole(*added);
        return true;
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::size_t free_bytes() const noexcept { return free_bytes_; }
    [[nodiscard]] std::size_t largest_hole() const noexcept { return holes_.empty() ? 0 : holes_.rbegin()->bytes; }

private:
    struct in_order;
    struct among_holes;
    using order_hook = boost::intrusive::set_base_hook<boost::intrusive::tag<in_order>, boost::intrusive::optimize_size<true>>;
    using hole_hook = boost::intrusive::set_base_hook<boost::intrusive::tag<among_holes>, boost::intrusive::optimize_size<true>>;

    /// A block, or a hole: then it is in `holes_` too.
    struct node : order_hook, hole_hook {
        node(std::size_t at, std::size_t length) noexcept : offset(at), bytes(length) {}

        [[nodiscard]] bool is_hole() const noexcept { return hole_hook::is_linked(); }
        [[nodiscard]] std::size_t end() const noexcept { return offset + bytes; }

        std::size_t offset;
        std::size_t bytes;
    };
    struct dispose {
        void operator()(node* unused) const noexcept { delete unused; }
    };
    struct offset_of {
        using type = std::size_t;
        std::size_t operator()(const node& of) const noexcept { return of.offset; }
    };
    struct extent {
        std::size_t bytes;
        std::size_t offset;
    };
    struct by_size {
        template <class Left, class Right>
        bool operator()(const Left& left, const Right& right) const noexcept
        {
            return left.bytes != right.bytes ? left.bytes < right.bytes : left.offset < right.offset;
        }
    };

    using block_set = boost::intrusive::set<node, boost::intrusive::base_hook<order_hook>, boost::intrusive::key_of_value<offset_of>,
                                            boost::intrusive::constant_time_size<false>>;
    using hole_set = boost::intrusive::set<node, boost::intrusive::base_hook<hole_hook>, boost::intrusive::compare<by_size>,
                                           boost::intrusive::constant_time_size<false>>;

    [[nodiscard]] static std::optional<std::size_t> fits(const node& hole, std::size_t bytes, std::size_t alignment) noexcept
    {
        const auto offset = checked_align_up(hole.offset, alignment);
        return offset && *offset <= hole.end() && bytes <= hole.end() - *offset ? offset : std::nullopt;
    }

    /// Makes `bytes` at `offset` of a hole a block; what is before and behind stays a hole.
    [[nodiscard]] bool carve(node& hole, std::size_t offset, std::size_t bytes) noexcept
    {
        const std::size_t before = offset - hole.offset;
        const std::size_t behind = hole.end() - offset - bytes;
        node* const first = before == 0 ? nullptr : new (std::nothrow) node(hole.offset, before);
        node* const last = behind == 0 ? nullptr : new (std::nothrow) node(offset + bytes, behind);
        if ((before != 0 && first == nullptr) || (behind != 0 && last == nullptr)) {
            delete first;
            delete last;
            return false;
        }
        holes_.erase(holes_.iterator_to(hole));
        hole.offset = offset;  // its place among the blocks stays the same
        hole.bytes = bytes;
        const auto here = blocks_.iterator_to(hole);
        for (node* rest : {first, last}) {
            if (rest != nullptr) {
                blocks_.insert_before(rest == first ? here : std::next(here), *rest);
                holes_.insert(*rest);
            }
        }
        free_bytes_ -= bytes;
        return true;
    }

    /// Makes a hole of a block, and one hole of it and its neighbours.
    void become_hole(node& block) noexcept
    {
        const auto here = blocks_.iterator_to(block);
        if (const auto next = std::next(here); next != blocks_.end() && next->is_hole()) {
            absorb(block, *next);
        }
        if (here != blocks_.begin() && std::prev(here)->is_hole()) {
            block.offset = std::prev(here)->offset;
            absorb(block, *std::prev(here));
        }
        holes_.insert(block);
    }
    void absorb(node& block, node& hole) noexcept
    {
        block.bytes += hole.bytes;
        holes_.erase(holes_.iterator_to(hole));
        blocks_.erase_and_dispose(blocks_.iterator_to(hole), dispose{});
    }

    [[nodiscard]] block_set::const_iterator find_block(std::size_t offset) const noexcept
    {
        const auto found = blocks_.find(offset);
        return found != blocks_.end() && found->is_hole() ? blocks_.end() : found;
    }
    [[nodiscard]] block_set::iterator find_block(std::size_t offset) noexcept
    {
        const auto found = blocks_.find(offset);
        return found != blocks_.end() && found->is_hole() ? blocks_.end() : found;
    }

    block_set blocks_;  ///< all nodes, in order
    hole_set holes_;
    std::size_t capacity_ = 0;
    std::size_t free_bytes_ = 0;
};

}  // namespace tidepool
