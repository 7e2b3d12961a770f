// rapidsai/rmm#2251 (and #649): a pool kept things by stream handle; a new stream got the handle of a destroyed one, and its blocks.

#include "../memory/simulated.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

class Rmm2251 : public testing::Test {
protected:
    tp::simulated_backend backend;
    tp::simulated_device_memory memory{backend};
    tp::stream_view old = backend.create_stream().value();
    std::uint64_t old_id = backend.id_of(old).value();

    /// Leaves work under way.
    tp::stream_view replace_stream()
    {
        backend.launch(old, 1'000'000);
        backend.destroy_stream(old);
        return backend.create_stream().value();
    }
};

TEST_F(Rmm2251, TheHandleIsTheSameAndTheIdIsNot)
{
    const tp::stream_view fresh = replace_stream();
    EXPECT_EQ(fresh, old);
    EXPECT_NE(backend.id_of(fresh).value(), old_id);
}

TEST_F(Rmm2251, TheNewStreamDoesNotGetWhatTheOldOneUses)
{
    void* const block = memory.allocate(old, 1000, 8);
    backend.launch(old, 1'000'000);
    memory.deallocate(old, block, 1000, 8);
    const tp::stream_view fresh = replace_stream();
    void* const next = memory.allocate(fresh, 1000, 8);
    EXPECT_NE(next, block);
    backend.use(fresh, next, 1000, access_kind::write);
    EXPECT_EQ(faults_of(backend), kinds{});
}

/// The pool of the report, as small as can be: one idle block a stream, by a key.
template <class Key>
void free_and_allocate_again(tp::simulated_backend& backend, tp::stream_view stream, void* block, Key key_of, auto replace_stream)
{
    std::map<decltype(key_of(stream)), void*> idle;
    backend.use(stream, block, 1000, access_kind::write);
    idle[key_of(stream)] = block;
    const tp::stream_view fresh = replace_stream();
    if (const auto found = idle.find(key_of(fresh)); found != idle.end()) {
        backend.use(fresh, found->second, 1000, access_kind::write);
    }
}

TEST_F(Rmm2251, APoolByHandleIsFoundOut)
{
    void* const block = memory.allocate_sync(1000, 8);
    free_and_allocate_again(
        backend, old, block, [](tp::stream_view stream) { return stream.handle(); }, [&] { return replace_stream(); });
    EXPECT_EQ(faults_of(backend), kinds{fault_kind::race});
}

TEST_F(Rmm2251, APoolByIdIsNot)
{
    void* const block = memory.allocate_sync(1000, 8);
    free_and_allocate_again(
        backend, old, block, [&](tp::stream_view stream) { return backend.id_of(stream).value(); }, [&] { return replace_stream(); });
    EXPECT_EQ(faults_of(backend), kinds{});
}

}  // namespace
