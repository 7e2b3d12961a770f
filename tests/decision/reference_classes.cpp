// Decisions under `semantics<simrd>`, compared with the authors' simulator: heuristics over equivalence classes.

#include "reference_runs.hpp"

namespace tp = tidepool;
using reference::as_simrd;

namespace {

constexpr reference::named_replay heuristics[]{
    {"dtr_eq", as_simrd<tp::h_dtr_eq>},
    {"eq", as_simrd<tp::h_eq>},
    {"eq_size", as_simrd<tp::h_eq_size>},
    {"eq_stale", as_simrd<tp::h_eq_stale>},
};

class ClassHeuristics : public reference::Logs {};

TEST_P(ClassHeuristics, AreAsSimulated)
{
    if (reference::data.empty()) {
        GTEST_SKIP() << reference::no_data;
    }
    reference::expect_as_simulated(std::get<0>(GetParam()), std::get<1>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Reference, ClassHeuristics, testing::Combine(testing::ValuesIn(reference::logs), testing::ValuesIn(heuristics)),
                         reference::test_name);

TEST(ClassHeuristics, OnLinearNetworksAreAsSimulated)
{
    if (reference::data.empty()) {
        GTEST_SKIP() << reference::no_data;
    }
    for (const reference::named_replay& heuristic : heuristics) {
        reference::expect_linear_as_simulated(heuristic);
    }
}

}  // namespace
