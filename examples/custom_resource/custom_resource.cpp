// A source and an adaptor of your own, between the library's. tests/conformance/custom_resource.cpp holds both against the library's
// conformance suites: a fixture is a line or two.

#include "huge_page_memory.hpp"
#include "zeroed.hpp"

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/pipe.hpp>

#include <cstddef>
#include <cstdio>

namespace tp = tidepool;

int main()
{
    // A request travels from left to right.
    tp::pipe<tp::statistics, zeroed, tp::pooled, tp::limited, huge_page_memory> memory(tp::pool_options{}, 64 << 20);

    constexpr std::size_t bytes = 1'000'000;
    auto* const activations = static_cast<unsigned char*>(memory.allocate_sync(bytes, 64));
    const bool clear = activations[0] == 0 && activations[bytes - 1] == 0;
    std::printf("%zu bytes in use, %zu more to be had\n", memory.counts().bytes, memory.available());
    memory.deallocate_sync(activations, bytes, 64);

    try {
        static_cast<void>(memory.allocate_sync(std::size_t{65} << 20U, 64));
        return 1;
    } catch (const tp::over_limit& refused) {
        std::printf("%s: asked %zu, used %zu of %zu bytes\n", refused.what(), refused.bytes, refused.used, refused.limit);
    }
    return clear ? 0 : 1;
}
