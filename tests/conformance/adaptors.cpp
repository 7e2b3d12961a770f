// Every adaptor, alone and all in one stack: what holds of adaptors, and what holds of any resource.

#include "adaptor_suite.hpp"
#include "resource_suite.hpp"
#include "stacks.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <tuple>

namespace testing_conformance {

using adaptors = testing::Types<limits, tracks, counts, aligns, synchronises, binds, falls_back, retries, pools, sorts_by_size, is_counted,
                                is_strict, records, delays, fails_never, poisons, all_of_them>;
INSTANTIATE_TYPED_TEST_SUITE_P(Library, Adaptor, adaptors);

/// The stack of a fixture over plain memory, in place.
template <class Stack>
struct over_host {
    using memory_type = typename Stack::template stack<tidepool::host_memory>;
    over_host() : memory(std::apply([](auto... arguments) { return in_place<decltype(arguments)...>{{arguments...}}; }, Stack::arguments()))
    {
    }

private:
    template <class... Arguments>
    struct in_place {
        std::tuple<Arguments...> arguments;
        operator memory_type() const { return std::make_from_tuple<memory_type>(arguments); }
    };

public:
    memory_type memory;
};

using stacks =
    testing::Types<over_host<limits>, over_host<tracks>, over_host<counts>, over_host<aligns>, over_host<synchronises>, over_host<binds>,
                   over_host<retries>, over_host<pools>, over_host<sorts_by_size>, over_host<is_counted>, over_host<is_strict>,
                   over_host<poisons>, over_host<records>, over_host<delays>, over_host<fails_never>, over_host<all_of_them>>;
INSTANTIATE_TYPED_TEST_SUITE_P(AdaptorsOverHost, Resource, stacks);

struct falls_back_from_a_limit {
    tidepool::pipe<tidepool::fallback_to<tidepool::host_memory>, tidepool::tracked, tidepool::limited, tidepool::host_memory> memory{
        std::tuple{}, 2000};
};
INSTANTIATE_TYPED_TEST_SUITE_P(FallbackOverHost, Resource, falls_back_from_a_limit);

struct pools_within_a_limit {
    tidepool::pipe<tidepool::pooled, tidepool::limited, tidepool::host_memory> memory{tidepool::pool_options{}, 16 << 20};
};
INSTANTIATE_TYPED_TEST_SUITE_P(PoolOverLimit, Resource, pools_within_a_limit);

struct sorts_by_size_within_a_limit {
    static constexpr bool gives_all = false;
    tidepool::pipe<tidepool::size_classes, tidepool::pooled, tidepool::limited, tidepool::host_memory> memory{tidepool::pool_options{},
                                                                                                              16 << 20};
};
INSTANTIATE_TYPED_TEST_SUITE_P(SizeClassesOverPool, Resource, sorts_by_size_within_a_limit);

}  // namespace testing_conformance
