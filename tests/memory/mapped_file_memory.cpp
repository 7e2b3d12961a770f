// Memory on a directory: its bytes are a file's, its refusals are typed, and the file is nobody else's.

#include <tidepool/core/units.hpp>
#include <tidepool/memory/directory_error.hpp>
#include <tidepool/memory/sources/mapped_file_memory.hpp>

#include "scratch_folder.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tp = tidepool;
using namespace tp::literals;
using testing_memory::scratch_folder;

namespace {

constexpr std::size_t mib = 1U << 20U;

static_assert(!std::is_move_constructible_v<tp::mapped_file_memory>);

template <class Error, class Run>
Error thrown_by(Run run)
{
    try {
        run();
    } catch (const Error& refused) {
        return refused;
    }
    throw std::runtime_error("nothing was thrown");
}

TEST(MappedFileMemory, GivesDisjointAlignedBlocksAndTakesThemBack)
{
    const scratch_folder folder;
    tp::mapped_file_memory memory(folder.path(), 16_MiB);
    EXPECT_TRUE(folder.is_empty()) << "the file has no name";
    std::vector<std::pair<std::byte*, std::size_t>> blocks;
    for (std::size_t alignment = 1; alignment <= 2 * mib; alignment *= 2) {
        const std::size_t bytes = 100 + alignment / 16;
        auto* const block = static_cast<std::byte*>(memory.allocate_sync(bytes, alignment));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
        std::memset(block, static_cast<int>(blocks.size()), bytes);
        blocks.emplace_back(block, bytes);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto [block, bytes] = blocks[i];
        EXPECT_EQ(std::count(block, block + bytes, std::byte(i)), static_cast<std::ptrdiff_t>(bytes)) << "overwritten";
        EXPECT_TRUE(memory.owns(block));
        EXPECT_FALSE(memory.owns(block + 1));
        memory.deallocate_sync(block, bytes, 1);
        EXPECT_FALSE(memory.owns(block));
    }
    EXPECT_EQ(memory.available(), 16 * mib);
    void* const all = memory.allocate_sync(16 * mib, 64);
    EXPECT_NE(all, nullptr) << "holes must join";
    memory.deallocate_sync(all, 16 * mib, 64);
}

TEST(MappedFileMemory, SaysHowMuchIsLeft)
{
    const scratch_folder folder;
    tp::mapped_file_memory memory(folder.path(), 1_MiB);
    void* const block = memory.allocate_sync(mib - 64, 64);
    const auto refused = thrown_by<tp::tier_full>([&] { return memory.allocate_sync(65, 64); });
    EXPECT_EQ(refused.bytes, 65U);
    EXPECT_EQ(refused.capacity, mib);
    EXPECT_EQ(refused.available, 64U);
    EXPECT_STREQ(refused.resource, "mapped file");
    EXPECT_EQ(memory.try_allocate(65, 64), nullptr);
    EXPECT_NE(memory.try_allocate(64, 64), nullptr);
    memory.deallocate_sync(block, mib - 64, 64);
    EXPECT_THROW((void)memory.allocate_sync(1, 4 * mib), tp::bad_alignment);
}

TEST(MappedFileMemory, GrowsAsItIsNeededUpToItsCapacity)
{
    const scratch_folder folder;
    tp::mapped_file_memory memory(folder.path(), 64_MiB, 4_KiB);
    EXPECT_EQ(memory.reserved(), 4096U);
    EXPECT_EQ(memory.available(), 64 * mib);
    void* const little = memory.allocate_sync(8000, 64);
    EXPECT_LE(memory.reserved(), 4 * mib);
    std::memset(little, 1, 8000);
    memory.deallocate_sync(little, 8000, 64);
    void* const all = memory.allocate_sync(64 * mib, 64);
    std::memset(all, 1, 64 * mib);
    EXPECT_EQ(memory.reserved(), 64 * mib);
    EXPECT_EQ(memory.available(), 0U);
    memory.deallocate_sync(all, 64 * mib, 64);
}

TEST(MappedFileMemory, NamesTheDirectoryThatCannotHoldIt)
{
    const scratch_folder folder;
    const std::string missing = folder.path() + "/not\nthere";
    const auto refused = thrown_by<tp::directory_error>([&] { tp::mapped_file_memory(missing, 1_MiB); });
    EXPECT_EQ(refused.path(), missing);
    EXPECT_EQ(refused.code, ENOENT);
    EXPECT_STREQ(refused.operation, "create a file");
    const std::string text = refused.what();
    EXPECT_NE(text.find("not?there"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << "one line";

    const auto endless = thrown_by<tp::directory_error>([&] { tp::mapped_file_memory(folder.path(), SIZE_MAX); });
    EXPECT_EQ(endless.code, EFBIG);
}

TEST(MappedFileMemory, OutlivesItsDirectory)
{
    const scratch_folder folder;
    const std::string directory = folder.path() + "/vanishes";
    std::filesystem::create_directory(directory);
    tp::mapped_file_memory memory(directory, 8_MiB, 4_KiB);
    ASSERT_TRUE(std::filesystem::remove(directory));
    void* const block = memory.allocate_sync(4 * mib, 64);
    std::memset(block, 1, 4 * mib);
    memory.deallocate_sync(block, 4 * mib, 64);
    EXPECT_EQ(thrown_by<tp::directory_error>([&] { tp::mapped_file_memory(directory, 1_MiB); }).code, ENOENT);
}

TEST(MappedFileMemory, IsRefusedWhereItMayNotWrite)
{
    const scratch_folder folder;
    ASSERT_EQ(::chmod(folder.path().c_str(), S_IRUSR | S_IXUSR), 0);
    const int status = testing_memory::status_as_nobody(
        [&folder] { return thrown_by<tp::directory_error>([&folder] { tp::mapped_file_memory(folder.path(), 1_MiB); }).code; });
    EXPECT_EQ(status, EACCES);
}

TEST(MappedFileMemory, AChildDoesNotHaveIt)
{
    const scratch_folder folder;
    tp::mapped_file_memory memory(folder.path(), 1_MiB);
    auto* const block = static_cast<volatile char*>(memory.allocate_sync(64, 64));
    *block = 7;
    const int status = testing_memory::status_in_child([block] {
        std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would end the child with a status of its own
        *block = 8;
        return 0;
    });
    EXPECT_EQ(status, -SIGSEGV);
    EXPECT_EQ(*block, 7);
}

TEST(MappedFileMemory, DestroyedInAChildStaysTheParents)
{
    const scratch_folder folder;
    const auto memory = std::make_unique<tp::mapped_file_memory>(folder.path(), 1_MiB);
    auto* const block = static_cast<char*>(memory->allocate_sync(64, 64));
    *block = 7;
    const int status = testing_memory::status_in_child([&memory, block] {
        void* const page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(block) & ~std::uintptr_t{4095});
        auto* const other =
            static_cast<char*>(::mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
        std::destroy_at(memory.get());
        *other = 1;  // the child's own, at the addresses that the parent's memory has
        return 0;
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(*block, 7);
}

}  // namespace
