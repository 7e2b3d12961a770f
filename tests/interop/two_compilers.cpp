// One program of two compilers: the C++ compiler's half, which links what nvcc made of two_compilers.cu. nvcc finds CCCL by itself
// and g++ does not; types that depended on that would differ, and the linker would not notice.

#include "layouts.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace tp = tidepool;
using namespace testing_two_compilers;

namespace {

TEST(TwoCompilers, AgreeOnEveryLayout)
{
    const auto here = layouts_here();
    const auto there = layouts_of_nvcc();
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
        EXPECT_EQ(here[i], there[i]) << here[i].type << ": " << here[i].size << " bytes at " << here[i].alignment << ", by nvcc "
                                     << there[i].size << " at " << there[i].alignment;
    }
}

TEST(TwoCompilers, PassAResourceAcross)
{
    host_stack stack(tp::pool_options{}, std::size_t{1} << 20U);
    void* const from_nvcc = allocate_with_nvcc(stack, 1000);
    std::memset(from_nvcc, 1, 1000);
    void* const from_here = stack.allocate_sync(3000, 64);
    EXPECT_NE(from_nvcc, from_here);
    deallocate_with_nvcc(stack, from_here, 3000);
    stack.deallocate_sync(from_nvcc, 1000, 64);
    EXPECT_EQ(stack.counts().peak_bytes, 4000U);
}

TEST(TwoCompilers, ErrorsAreCaughtAcross)
{
    host_stack stack(tp::pool_options{}, std::size_t{1} << 20U);
    EXPECT_THROW(static_cast<void>(allocate_with_nvcc(stack, std::size_t{2} << 20U)), tp::over_limit);
}

TEST(TwoCompilers, AKernelWritesWhatAReferenceAllocated)
{
    if (const auto count = tp::cuda_backend::device_count(); !count.ok()) {
        GTEST_SKIP() << "this machine has no CUDA device: " << count.status().name;
    }
    device_stack stack(std::size_t{1} << 20U);
    EXPECT_EQ(sum_from_a_kernel(tp::as_cuda_mr(stack), 1000), 499'500);
    EXPECT_EQ(stack.counts().peak_bytes, 4000U);
}

}  // namespace
