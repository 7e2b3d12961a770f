// An outside user of the component memkind: a block of its default kind.

#include <tidepool/memory/sources/memkind_memory.hpp>

#include <cstring>

int main()
{
    namespace tp = tidepool;

    tp::memkind_memory memory(tp::memkind_kind::standard);
    void* const block = memory.allocate_sync(4096, 64);
    std::memset(block, 1, 4096);
    memory.deallocate_sync(block, 4096, 64);
    return memory.is_available() ? 0 : 1;
}
