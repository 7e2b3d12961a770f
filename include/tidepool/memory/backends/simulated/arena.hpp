#pragma once

// A bounded range of addresses with bytes behind them.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <new>

namespace tidepool::simulated {

/// First fit at the lowest address, so that a freed address comes again at once. Takes its bytes from the host on first use.
class arena {
public:
    static constexpr std::size_t granularity = 256;

    explicit arena(std::size_t bytes) noexcept : capacity_(bytes / granularity * granularity) {}

    /// Null where no hole is large enough. `bytes` is a multiple of the granularity.
    std::byte* take(std::size_t bytes)
    {
        if (!make_bytes()) {
            return nullptr;
        }
        const auto hole = std::find_if(holes_.begin(), holes_.end(), [&](const auto& each) { return each.second >= bytes; });
        if (hole == holes_.end()) {
            return nullptr;
        }
        const auto [offset, length] = *hole;
        holes_.erase(hole);
        if (length > bytes) {
            holes_.emplace(offset + bytes, length - bytes);
        }
        touched_ = std::max(touched_, offset + bytes);
        return bytes_.get() + offset;
    }

    void give_back(std::byte* pointer, std::size_t bytes)
    {
        auto hole = holes_.emplace(static_cast<std::size_t>(pointer - bytes_.get()), bytes).first;
        if (const auto next = std::next(hole); next != holes_.end() && hole->first + hole->second == next->first) {
            hole->second += next->second;
            holes_.erase(next);
        }
        if (hole != holes_.begin()) {
            if (const auto before = std::prev(hole); before->first + before->second == hole->first) {
                before->second += hole->second;
                holes_.erase(hole);
            }
        }
    }

    [[nodiscard]] bool contains(const void* pointer) const noexcept { return bytes_ != nullptr && below(pointer, capacity_); }
    /// Whether it was ever given to anybody.
    [[nodiscard]] bool gave(const void* pointer) const noexcept { return bytes_ != nullptr && below(pointer, touched_); }

private:
    struct release {
        void operator()(std::byte* bytes) const noexcept { ::operator delete(bytes, std::align_val_t(granularity)); }
    };

    bool make_bytes()
    {
        if (bytes_ == nullptr && capacity_ > 0) {
            bytes_.reset(static_cast<std::byte*>(::operator new(capacity_, std::align_val_t(granularity), std::nothrow)));
            if (bytes_ != nullptr) {
                holes_.emplace(0, capacity_);
            }
        }
        return bytes_ != nullptr;
    }
    [[nodiscard]] bool below(const void* pointer, std::size_t end) const noexcept
    {
        const auto* const at = static_cast<const std::byte*>(pointer);
        return !std::less<>{}(at, bytes_.get()) && std::less<>{}(at, bytes_.get() + end);
    }

    std::size_t capacity_;
    std::size_t touched_ = 0;
    std::unique_ptr<std::byte, release> bytes_;
    std::map<std::size_t, std::size_t> holes_;  // offset to length
};

}  // namespace tidepool::simulated
