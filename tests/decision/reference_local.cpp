// Decisions under `semantics<simrd>`, compared with the authors' simulator: heuristics that look at the storage alone.

#include "reference_runs.hpp"

namespace tp = tidepool;
using reference::as_simrd;

namespace {

constexpr reference::named_replay heuristics[]{
    {"dtr_local", as_simrd<tp::h_dtr_local>},
    {"lru", as_simrd<tp::h_lru>},
    {"size", as_simrd<tp::h_size>},
    {"local", as_simrd<tp::h_local>},
    {"local_size", as_simrd<tp::h_local_size>},
    {"local_stale", as_simrd<tp::h_local_stale>},
    {"size_stale", as_simrd<tp::h_size_stale>},
    {"stale", as_simrd<tp::h_stale>},
};

class LocalHeuristics : public reference::Logs {};

TEST_P(LocalHeuristics, AreAsSimulated)
{
    if (reference::data.empty()) {
        GTEST_SKIP() << reference::no_data;
    }
    reference::expect_as_simulated(std::get<0>(GetParam()), std::get<1>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Reference, LocalHeuristics, testing::Combine(testing::ValuesIn(reference::logs), testing::ValuesIn(heuristics)),
                         reference::test_name);

TEST(LocalHeuristics, OnLinearNetworksAreAsSimulated)
{
    if (reference::data.empty()) {
        GTEST_SKIP() << reference::no_data;
    }
    for (const reference::named_replay& heuristic : heuristics) {
        reference::expect_linear_as_simulated(heuristic);
    }
}

}  // namespace
