// An outside user of the component cuda: a block of device 0, or a clear word that there is none.

#include <tidepool/memory/sources/cuda_memory.hpp>

#include <cstdio>

int main()
{
    namespace tp = tidepool;

    tp::cuda_device_memory memory;
    try {
        void* const block = memory.allocate_sync(4096, 64);
        memory.deallocate_sync(block, 4096, 64);
    } catch (const tp::device_unavailable& refused) {
        std::printf("%s: %s\n", refused.what(), refused.reason);
    }
}
