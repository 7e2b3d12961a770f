// Decisions under `semantics<simrd>`, compared with the authors' simulator: heuristics over the evicted neighbourhood.

#include "reference_runs.hpp"

namespace tp = tidepool;
using reference::as_simrd;

namespace {

constexpr reference::named_replay heuristics[]{
    {"dtr", as_simrd<tp::h_dtr>}, {"dtr_unopt", as_simrd<tp::h_dtr_unopt>}, {"msps", as_simrd<tp::h_msps>},
    {"e", as_simrd<tp::h_e>},     {"e_size", as_simrd<tp::h_e_size>},       {"e_stale", as_simrd<tp::h_e_stale>},
};

class NeighborhoodHeuristics : public reference::Logs {};

TEST_P(NeighborhoodHeuristics, AreAsSimulated)
{
    if (reference::data.empty()) {
        GTEST_SKIP() << reference::no_data;
    }
    reference::expect_as_simulated(std::get<0>(GetParam()), std::get<1>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Reference, NeighborhoodHeuristics,
                         testing::Combine(testing::ValuesIn(reference::logs), testing::ValuesIn(heuristics)), reference::test_name);

TEST(NeighborhoodHeuristics, OnLinearNetworksAreAsSimulated)
{
    if (reference::data.empty()) {
        GTEST_SKIP() << reference::no_data;
    }
    for (const reference::named_replay& heuristic : heuristics) {
        reference::expect_linear_as_simulated(heuristic);
    }
}

}  // namespace
