#pragma once

// Blocks that are marked, looked at again, and given back at random.

#include <tidepool/memory/errors.hpp>
#include <tidepool/memory/properties.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace testing_conformance {

template <class Memory>
inline constexpr bool has_bytes = tidepool::has_property<Memory, tidepool::host_accessible>;

/// Fills a block with what only it holds, and looks whether that is still there. Nothing, where the CPU cannot.
template <class Memory>
void mark(void* pointer, std::size_t bytes, unsigned value)
{
    if constexpr (has_bytes<Memory>) {
        std::memset(pointer, static_cast<int>(value % 251), bytes);
    }
}
template <class Memory>
[[nodiscard]] bool is_marked(const void* pointer, std::size_t bytes, unsigned value)
{
    if constexpr (has_bytes<Memory>) {
        const auto* const begin = static_cast<const unsigned char*>(pointer);
        return std::all_of(begin, begin + bytes, [&](unsigned char byte) { return byte == value % 251; });
    }
    return true;
}

[[nodiscard]] inline bool is_aligned(const void* pointer, std::size_t alignment)
{
    return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0;
}

/// Takes and gives back at random, in one thread, and says whether every block kept what was written to it.
template <class Memory>
[[nodiscard]] bool survives_random_traffic(Memory& memory, unsigned seed, int steps, std::size_t most_bytes, std::size_t most_live)
{
    struct block {
        void* pointer;
        std::size_t bytes;
        std::size_t alignment;
        unsigned value;
    };
    std::mt19937 random(seed);
    std::vector<block> live;
    bool sound = true;
    const auto give_back = [&](std::size_t which) {
        const block b = live[which];
        sound = sound && is_marked<Memory>(b.pointer, b.bytes, b.value);
        memory.deallocate_sync(b.pointer, b.bytes, b.alignment);
        live[which] = live.back();
        live.pop_back();
    };
    for (int step = 0; step < steps; ++step) {
        if (live.size() < most_live && random() % 5 < 3) {
            block b{nullptr, 1 + random() % most_bytes, std::size_t{1} << (random() % 9), static_cast<unsigned>(random())};
            try {
                b.pointer = memory.allocate_sync(b.bytes, b.alignment);
            } catch (const tidepool::out_of_memory&) {
                continue;
            }
            sound = sound && b.pointer != nullptr && is_aligned(b.pointer, b.alignment);
            mark<Memory>(b.pointer, b.bytes, b.value);
            live.push_back(b);
        } else if (!live.empty()) {
            give_back(random() % live.size());
        }
    }
    while (!live.empty()) {
        give_back(live.size() - 1);
    }
    return sound;
}

}  // namespace testing_conformance
