#pragma once

// A vector for the many short lists of a graph: 16 bytes, two small elements without an allocation.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace tidepool {

/// A sequence of trivially copyable elements of at most four bytes, of which the first two live in the object itself.
///
/// Throws `std::bad_alloc` as `std::vector` does and is then unchanged. `clear` keeps the room, as nodes are recycled.
template <class T>
requires(std::is_trivially_copyable_v<T> && sizeof(T) <= 4)
class compact_vector {
public:
    compact_vector() noexcept = default;
    compact_vector(compact_vector&& other) noexcept : size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, inline_capacity))
    {
        std::memcpy(static_cast<void*>(&room_), &other.room_, sizeof(room_));
    }
    compact_vector& operator=(compact_vector&& other) noexcept
    {
        if (this != &other) {
            free_heap();
            size_ = std::exchange(other.size_, 0);
            capacity_ = std::exchange(other.capacity_, inline_capacity);
            std::memcpy(static_cast<void*>(&room_), &other.room_, sizeof(room_));
        }
        return *this;
    }
    compact_vector(const compact_vector&) = delete;
    compact_vector& operator=(const compact_vector&) = delete;
    ~compact_vector() { free_heap(); }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T* begin() noexcept { return data(); }
    [[nodiscard]] T* end() noexcept { return data() + size_; }
    [[nodiscard]] const T* begin() const noexcept { return data(); }
    [[nodiscard]] const T* end() const noexcept { return data() + size_; }
    [[nodiscard]] T operator[](std::size_t place) const noexcept { return data()[place]; }
    [[nodiscard]] T front() const noexcept { return data()[0]; }
    [[nodiscard]] T back() const noexcept { return data()[size_ - 1]; }
    [[nodiscard]] operator std::span<const T>() const noexcept { return {data(), size_}; }

    void push_back(T value)
    {
        if (size_ == capacity_) {
            grow();
        }
        data()[size_++] = value;
    }

    void assign(std::span<const T> values)
    {
        clear();
        for (const T value : values) {
            push_back(value);
        }
    }

    void clear() noexcept { size_ = 0; }

    [[nodiscard]] bool contains(T value) const noexcept { return std::find(begin(), end(), value) != end(); }

    /// Removes the first element equal to `value`; the others keep their order. False if there is none. Linear.
    bool remove_first(T value) noexcept
    {
        T* const found = std::find(begin(), end(), value);
        if (found == end()) {
            return false;
        }
        std::copy(found + 1, end(), found);
        --size_;
        return true;
    }

private:
    static constexpr std::uint32_t inline_capacity = 2;

    union room {
        T small[inline_capacity];
        T* large;
    };

    [[nodiscard]] bool on_heap() const noexcept { return capacity_ > inline_capacity; }
    [[nodiscard]] T* data() noexcept { return on_heap() ? room_.large : room_.small; }
    [[nodiscard]] const T* data() const noexcept { return on_heap() ? room_.large : room_.small; }

    void free_heap() noexcept
    {
        if (on_heap()) {
            std::allocator<T>().deallocate(room_.large, capacity_);
        }
    }

    void grow()
    {
        const std::uint32_t capacity = capacity_ * 2;
        T* const larger = std::allocator<T>().allocate(capacity);
        std::copy(begin(), end(), larger);
        free_heap();
        room_.large = larger;
        capacity_ = capacity;
    }

    room room_{};
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = inline_capacity;
};

static_assert(sizeof(compact_vector<std::uint32_t>) == 16);

}  // namespace tidepool
