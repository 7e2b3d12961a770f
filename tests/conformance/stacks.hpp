#pragma once

// The library's adaptors, as fixtures of the suites.

#include <tidepool/memory/adaptors/aligned.hpp>
#include <tidepool/memory/adaptors/fallback.hpp>
#include <tidepool/memory/adaptors/limited.hpp>
#include <tidepool/memory/adaptors/pooled.hpp>
#include <tidepool/memory/adaptors/process_bound.hpp>
#include <tidepool/memory/adaptors/retried.hpp>
#include <tidepool/memory/adaptors/size_classes.hpp>
#include <tidepool/memory/adaptors/statistics.hpp>
#include <tidepool/memory/adaptors/synchronised.hpp>
#include <tidepool/memory/adaptors/tracked.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/host_memory.hpp>
#include <tidepool/memory/testing/counting.hpp>
#include <tidepool/memory/testing/delayed.hpp>
#include <tidepool/memory/testing/failing.hpp>
#include <tidepool/memory/testing/poisoning.hpp>
#include <tidepool/memory/testing/recording.hpp>
#include <tidepool/memory/testing/strict.hpp>

#include <cstddef>
#include <tuple>

namespace testing_conformance {

template <class... Layers>
struct stacked {
    template <class Upstream>
    using stack = tidepool::pipe<Layers..., Upstream>;
    static auto arguments() { return std::tuple{}; }
};

/// Has room to give back once, and no more.
class gives_once {
public:
    std::size_t operator()(std::size_t bytes) noexcept { return given_++ == 0 ? bytes : 0; }

private:
    int given_ = 0;
};

struct limits : stacked<tidepool::limited> {
    static auto arguments() { return std::tuple{std::size_t{8} << 20U}; }
};
struct tracks : stacked<tidepool::tracked> {};
struct counts : stacked<tidepool::statistics> {};
struct aligns : stacked<tidepool::aligned_to<128>> {};
struct synchronises : stacked<tidepool::synchronised> {};
struct binds : stacked<tidepool::process_bound> {};
struct falls_back : stacked<tidepool::fallback_to<tidepool::host_memory>> {
    static auto arguments() { return std::make_tuple(std::tuple{}); }
};
struct retries : stacked<tidepool::retried_after<gives_once>> {
    static auto arguments() { return std::tuple{gives_once{}}; }
};
struct pools : stacked<tidepool::pooled> {
    static auto arguments() { return std::tuple{tidepool::pool_options{.least_slab = 4096}}; }
};
struct sorts_by_size : stacked<tidepool::size_classes> {};
struct is_counted : stacked<tidepool::testing::counting> {};
struct is_strict : stacked<tidepool::testing::strict> {};
struct poisons : stacked<tidepool::testing::poisoning> {};
struct records : stacked<tidepool::testing::recording> {};
struct delays : stacked<tidepool::testing::delayed> {
    static auto arguments() { return std::tuple{1}; }
};
struct fails_never : stacked<tidepool::testing::failing<tidepool::testing::fail_every>> {
    static auto arguments() { return std::tuple{tidepool::testing::fail_every(0)}; }
};
struct all_of_them : stacked<tidepool::synchronised, tidepool::process_bound, tidepool::retried_after<gives_once>, tidepool::tracked,
                             tidepool::statistics, tidepool::aligned_to<64>, tidepool::limited> {
    static auto arguments() { return std::tuple{gives_once{}, std::size_t{8} << 20U}; }
};

}  // namespace testing_conformance
