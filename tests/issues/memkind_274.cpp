// memkind 274: the file of a PMEM heap grew with every allocation. Its length still does; what it occupies is bounded.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include "../memory/scratch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace tp = tidepool;
using namespace tp::literals;

namespace {

/// Bytes on disk of this process's open files of memkind.
std::size_t occupied()
{
    std::size_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        struct stat status {};
        if (std::filesystem::read_symlink(entry.path(), gone).string().find("/memkind.") != std::string::npos &&
            ::stat(entry.path().c_str(), &status) == 0) {
            bytes += static_cast<std::size_t>(status.st_blocks) * 512;
        }
    }
    return bytes;
}

TEST(Memkind274, TheFileOccupiesNoMoreThanTheHeap)
{
    const testing_memory::scratch_folder folder;
    tp::pmem_memory memory(folder.path(), 64_MiB);
    constexpr std::size_t bytes = 8U << 20U;
    std::size_t most = 0;
    for (int i = 0; i < 60; ++i) {
        void* const block = memory.allocate_sync(bytes, 64);
        std::memset(block, 1, 4096);
        most = std::max(most, occupied());
        memory.deallocate_sync(block, bytes, 64);
    }
    EXPECT_GE(most, bytes) << "the file was not found";
    EXPECT_LE(most, memory.capacity() + 4096 * 16);  // and a little of the filesystem's own
}

}  // namespace
