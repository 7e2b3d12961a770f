// What the layers of memory cost, beside the general-purpose allocator of the process.
//
// The rows `heap/…` are plain operator new and delete: run the program once with glibc's, and again under LD_PRELOAD with jemalloc's
// or mimalloc's, each in its own process. The rows of one run compare with each other.

#include <tidepool/memory/adaptors/aligned.hpp>
#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/adaptors/process_bound.hpp>
#include <tidepool/memory/adaptors/size_classes.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/adaptors/synchronised.hpp>
#include <tidepool/memory/adaptors/tracked.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

/// One block, taken and given back.
template <class Memory>
void pair_of(benchmark::State& state, Memory& memory)
{
    const auto bytes = static_cast<std::size_t>(state.range(0));
    for (auto unused : state) {
        void* const pointer = memory.allocate_sync(bytes, 8);
        benchmark::DoNotOptimize(pointer);
        memory.deallocate_sync(pointer, bytes, 8);
    }
}

/// 5,000 live blocks of 16 to 1024 bytes, one replaced at a time, as a table of random choices says.
template <class Memory>
void random_mix(benchmark::State& state, Memory& memory)
{
    struct block {
        void* pointer;
        std::size_t bytes;
    };
    std::mt19937 random(1);
    std::vector<block> live(5000);
    for (block& each : live) {
        each.bytes = 16 + random() % 1009;
        each.pointer = memory.allocate_sync(each.bytes, 8);
    }
    std::vector<std::pair<std::size_t, std::size_t>> choices(1 << 16);
    for (auto& [which, bytes] : choices) {
        which = random() % live.size();
        bytes = 16 + random() % 1009;
    }
    std::size_t choice = 0;
    for (auto unused : state) {
        const auto [which, bytes] = choices[choice++ % choices.size()];
        block& each = live[which];
        memory.deallocate_sync(each.pointer, each.bytes, 8);
        each = {memory.allocate_sync(bytes, 8), bytes};
        benchmark::DoNotOptimize(each.pointer);
    }
    for (const block& each : live) {
        memory.deallocate_sync(each.pointer, each.bytes, 8);
    }
}

template <class Memory, class... Arguments>
void add(const std::string& name, Arguments... arguments)
{
    benchmark::RegisterBenchmark((name + "/pair").c_str(),
                                 [arguments...](benchmark::State& state) {
                                     Memory memory(arguments...);
                                     pair_of(state, memory);
                                 })
        ->Arg(64)
        ->Arg(4096);
    benchmark::RegisterBenchmark((name + "/random_mix").c_str(), [arguments...](benchmark::State& state) {
        Memory memory(arguments...);
        random_mix(state, memory);
    });
}

using classes = tp::pipe<tp::size_classes, tp::host_memory>;

/// What a layer adds to the fastest stack that we have.
template <class Layer, class... Arguments>
void add_layer(const std::string& name, Arguments... arguments)
{
    add<tp::pipe<Layer, tp::size_classes, tp::host_memory>>("layer/" + name, arguments...);
}

}  // namespace

int main(int argc, char** argv)
{
    add<tp::host_memory>("heap");
    add<tp::pipe<tp::pooled, tp::host_memory>>("pooled");
    add<classes>("size_classes");
    add_layer<tp::limited>("limited", std::size_t{1} << 40U);
    add_layer<tp::statistics>("statistics");
    add_layer<tp::synchronised>("synchronised");
    add_layer<tp::process_bound>("process_bound");
    add_layer<tp::aligned>("aligned");
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
