#pragma once

// Sets of dense ids that cluster: one word for each 64 neighbours of which any is in.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tidepool {

/// A set of numbers below 2^38, as words in order. Union is linear in the words of both; memory is 16 bytes a word.
class sparse_bits {
public:
    struct word {
        std::uint32_t place;  ///< the numbers from 64 * place
        std::uint64_t bits;
    };

    [[nodiscard]] bool empty() const noexcept { return words_.empty(); }
    void clear() noexcept { words_.clear(); }

    [[nodiscard]] bool contains(std::size_t number) const noexcept
    {
        const auto found = find(number);
        return found != words_.end() && found->place == place_of(number) && (found->bits & bit_of(number)) != 0;
    }

    /// False if it was not in.
    bool erase(std::size_t number) noexcept
    {
        const auto found = find(number);
        if (found == words_.end() || found->place != place_of(number) || (found->bits & bit_of(number)) == 0) {
            return false;
        }
        word& in = words_[static_cast<std::size_t>(found - words_.begin())];
        in.bits &= ~bit_of(number);
        if (in.bits == 0) {
            words_.erase(found);
        }
        return true;
    }

    void insert(std::size_t number)
    {
        const auto found = find(number);
        if (found == words_.end() || found->place != place_of(number)) {
            words_.insert(found, {place_of(number), bit_of(number)});
        } else {
            words_[static_cast<std::size_t>(found - words_.begin())].bits |= bit_of(number);
        }
    }

    /// Adds a number that is greater than all that are in.
    void append(std::size_t number)
    {
        if (words_.empty() || words_.back().place != place_of(number)) {
            words_.push_back({place_of(number), 0});
        }
        words_.back().bits |= bit_of(number);
    }

    /// Adds the 64 numbers from 64 * `place` whose bits are set; the word must come after all that are in.
    void append_word(std::uint32_t place, std::uint64_t bits) { words_.push_back({place, bits}); }

    /// Adds all of `other`; `added(number)` for each that is new.
    template <class Function>
    void merge(const sparse_bits& other, Function&& added)
    {
        std::size_t missing = 0;  // words, so that merging from behind needs no second vector
        for (std::size_t mine = 0, theirs = 0; theirs < other.words_.size(); ++theirs) {
            while (mine < words_.size() && words_[mine].place < other.words_[theirs].place) {
                ++mine;
            }
            missing += mine == words_.size() || words_[mine].place != other.words_[theirs].place ? 1U : 0U;
        }
        std::size_t from = words_.size();
        words_.resize(from + missing);
        std::size_t to = words_.size();
        for (std::size_t theirs = other.words_.size(); theirs-- > 0;) {
            const word& next = other.words_[theirs];
            while (from > 0 && words_[from - 1].place > next.place) {
                words_[--to] = words_[--from];
            }
            std::uint64_t had = 0;
            if (from > 0 && words_[from - 1].place == next.place) {
                had = words_[--from].bits;
            }
            words_[--to] = {next.place, had | next.bits};
            for_each_bit(next.place, next.bits & ~had, added);
        }
    }

    template <class Function>
    void for_each(Function&& function) const
    {
        for (const word& w : words_) {
            for_each_bit(w.place, w.bits, function);
        }
    }

private:
    static std::uint32_t place_of(std::size_t number) noexcept { return static_cast<std::uint32_t>(number / 64); }
    static std::uint64_t bit_of(std::size_t number) noexcept { return std::uint64_t{1} << (number % 64); }

    [[nodiscard]] std::vector<word>::const_iterator find(std::size_t number) const noexcept
    {
        return std::lower_bound(words_.begin(), words_.end(), place_of(number), [](const word& w, std::uint32_t place) { return w.place < place; });
    }

    template <class Function>
    static void for_each_bit(std::uint32_t place, std::uint64_t bits, Function&& function)
    {
        while (bits != 0) {
            function(std::size_t{place} * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
            bits &= bits - 1;
        }
    }

    std::vector<word> words_;
};

}  // namespace tidepool
