// Sources, adaptors and stacks as resources of CCCL's cuda::mr, by the concepts of the installed 3.0 and by those of 3.1 and later.

#include <tidepool/interop/cuda_mr.hpp>

#include "cccl_3_1_concepts.hpp"

#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/adaptors/size_classes.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/adaptors/synchronised.hpp>
#include <tidepool/memory/adaptors/tracked.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/shared_resource.hpp>
#include <tidepool/memory/sources/cuda_memory.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/sources/mapped_file_memory.hpp>
#include <tidepool/memory/sources/simulated_device_memory.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <utility>

namespace tp = tidepool;
using cuda::mr::device_accessible;
using cuda::mr::host_accessible;

namespace {

using tp::examples::cuda_mr_stream_ordered;
using tp::examples::cuda_mr_synchronous;

/// A model by the installed names and by the later ones, of its own and referred to.
template <class R, class... Properties>
concept stream_ordered_model =
    cuda_mr_stream_ordered<tp::as_cuda_mr<R&>, Properties...> && cccl_3_1::resource_with<tp::as_cuda_mr<R&>, Properties...> &&
    cuda_mr_stream_ordered<tp::as_cuda_mr<tp::shared_resource<R>>, Properties...> &&
    cccl_3_1::ownable_resource<tp::as_cuda_mr<tp::shared_resource<R>>, Properties...>;
template <class R, class... Properties>
concept synchronous_model =
    cuda_mr_synchronous<tp::as_cuda_mr<R&>, Properties...> && cccl_3_1::synchronous_resource_with<tp::as_cuda_mr<R&>, Properties...> &&
    !cuda_mr_stream_ordered<tp::as_cuda_mr<R&>> &&
    !cccl_3_1::resource<tp::as_cuda_mr<R&>>;

static_assert(stream_ordered_model<tp::cuda_device_memory, device_accessible>);
static_assert(stream_ordered_model<tp::cuda_pinned_memory, device_accessible, host_accessible>);
static_assert(stream_ordered_model<tp::simulated_device_memory, device_accessible>);
static_assert(synchronous_model<tp::host_memory, host_accessible>);
static_assert(synchronous_model<tp::mapped_file_memory, host_accessible>);

template <class Source>
using stack_over = tp::pipe<tp::statistics, tp::tracked, tp::limited, Source>;
static_assert(stream_ordered_model<stack_over<tp::cuda_device_memory>, device_accessible>);
static_assert(stream_ordered_model<stack_over<tp::simulated_pinned_memory>, device_accessible, host_accessible>);
static_assert(synchronous_model<stack_over<tp::host_memory>, host_accessible>);
static_assert(cuda_mr_synchronous<tp::as_cuda_mr<tp::pipe<tp::size_classes, tp::pooled, tp::cuda_device_memory>&>, device_accessible>);

// Nothing is said that is not so.
static_assert(!cuda::has_property<tp::as_cuda_mr<tp::cuda_device_memory>, host_accessible>);
static_assert(!cuda::has_property<tp::as_cuda_mr<tp::host_memory>, device_accessible>);
static_assert(!cccl_3_1::resource<tp::cuda_device_memory>, "unwrapped, it takes a stream_view");
static_assert(std::copyable<tp::as_cuda_mr<tp::host_memory&>> && std::copyable<tp::as_cuda_mr<tp::cuda_device_memory>>);
static_assert(!std::constructible_from<tp::as_cuda_mr<tp::host_memory&>, tp::host_memory>, "it would refer to a temporary");

cuda::stream_ref stream_of(tp::stream_view stream) { return static_cast<cudaStream_t>(stream.handle()); }

TEST(CudaMr, AReferenceAllocatesThroughAStack)
{
    tp::pipe<tp::statistics, tp::limited, tp::host_memory> stack(1000);
    tp::as_cuda_mr memory(stack);
    static_assert(std::same_as<decltype(memory), tp::as_cuda_mr<decltype(stack)&>>);
    cuda::mr::resource_ref<host_accessible> reference(memory);
    void* const block = reference.allocate(600, 64);
    std::memset(block, 1, 600);
    EXPECT_EQ(stack.counts().bytes, 600U);
    EXPECT_THROW(static_cast<void>(reference.allocate(401, 8)), tp::over_limit) << "errors come through as they are";
    reference.deallocate(block, 600, 64);
    EXPECT_EQ(stack.counts().bytes, 0U);
}

TEST(CudaMr, AReferenceAllocatesInTheOrderOfItsStream)
{
    tp::simulated_backend backend;
    tp::pipe<tp::statistics, tp::simulated_device_memory> stack(backend);
    const tp::stream_view stream = backend.create_stream().value();
    tp::as_cuda_mr memory(stack);
    cuda::mr::async_resource_ref<device_accessible> reference(memory);
    backend.launch(stream, 1'000'000);
    void* const block = reference.allocate_async(1000, 256, stream_of(stream));
    backend.use(stream, block, 1000, tp::simulated::access_kind::write);
    reference.deallocate_async(block, 1000, 256, stream_of(stream));
    EXPECT_EQ(backend.now(), 0) << "it waited";
    EXPECT_EQ(backend.calls(tp::simulated::operation::free_pooled), 1U);
    reference.deallocate(reference.allocate(10, 8), 10, 8);
    EXPECT_TRUE(backend.faults().empty());
    EXPECT_EQ(stack.counts().bytes, 0U);
    EXPECT_EQ(backend.live_blocks(), 0U);
}

TEST(CudaMr, TheLaterNamesDoTheSame)
{
    tp::simulated_backend backend;
    tp::as_cuda_mr<tp::simulated_device_memory> memory{tp::simulated_device_memory(backend)};
    const tp::stream_view stream = backend.create_stream().value();
    memory.deallocate(stream_of(stream), memory.allocate(stream_of(stream), 1000, 8), 1000, 8);
    memory.deallocate_sync(memory.allocate_sync(1000, 8), 1000, 8);
    EXPECT_EQ(backend.calls(tp::simulated::operation::allocate_pooled), 1U);
    EXPECT_EQ(backend.calls(tp::simulated::operation::allocate_device), 1U);
    memory.deallocate(cuda::stream_ref{cudaStreamLegacy}, memory.allocate(cuda::stream_ref{cudaStreamLegacy}, 8, 8), 8, 8);
    EXPECT_TRUE(backend.faults().empty()) << "the legacy stream is the default one";
    EXPECT_EQ(backend.live_blocks(), 0U);
}

TEST(CudaMr, PropertiesNarrow)
{
    tp::simulated_backend backend;
    tp::simulated_pinned_memory pinned(backend);
    tp::as_cuda_mr memory(pinned);
    cuda::mr::async_resource_ref<device_accessible, host_accessible> both(memory);
    cuda::mr::async_resource_ref<host_accessible> host = both;
    cuda::mr::resource_ref<device_accessible> synchronous = both;
    static_assert(!std::constructible_from<cuda::mr::resource_ref<device_accessible, host_accessible>, decltype(host)>);
    static_assert(!std::constructible_from<cuda::mr::resource_ref<host_accessible>, tp::as_cuda_mr<tp::simulated_device_memory>&>);
    synchronous.deallocate(host.allocate(1000, 64), 1000, 64);
    EXPECT_EQ(backend.live_blocks(), 0U);
}

TEST(CudaMr, OwnersShareAndEqualityMeansWhatItSays)
{
    using stack = tp::pipe<tp::statistics, tp::host_memory>;
    tp::as_cuda_mr owner(tp::make_shared_resource<stack>());
    static_assert(std::same_as<decltype(owner), tp::as_cuda_mr<tp::shared_resource<stack>>>);
    auto copy = owner;
    const tp::as_cuda_mr other(tp::make_shared_resource<stack>());
    EXPECT_EQ(copy, owner);
    EXPECT_NE(copy, other);
    void* const block = owner.allocate_sync(100, 8);
    {
        const auto gone = std::move(owner);
        EXPECT_EQ(gone, copy);
    }
    EXPECT_EQ(copy.resource()->counts().bytes, 100U);
    copy.deallocate(block, 100, 8);

    tp::host_memory first;
    tp::host_memory second;
    EXPECT_EQ(tp::as_cuda_mr(first), tp::as_cuda_mr(second)) << "each takes back what the other gave";
    EXPECT_NE(tp::as_cuda_mr(tp::cuda_device_memory(0)), tp::as_cuda_mr(tp::cuda_device_memory(1)));
}

}  // namespace
