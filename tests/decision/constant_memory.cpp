// A training loop takes as much in its thousandth step as in its third: what nobody can ask for again is forgotten.

#include "session.hpp"

#include <tidepool/decision/replay.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tp = tidepool;
using tp::decision::outcome;

namespace {

struct live_nodes {
    std::size_t operators, tensors, storages;           ///< in use
    std::size_t operator_ids, tensor_ids, storage_ids;  ///< the lengths of the tables

    friend bool operator==(const live_nodes&, const live_nodes&) = default;
};

/// Layers with a parameter each: forward, backward, then each parameter replaced by a new one, which is pinned.
template <class Core>
class training {
public:
    explicit training(tp::byte_count budget) : core_({budget, tp::decision::limits{}.remat_compute, 0})
    {
        for (std::size_t layer = 0; layer < layers; ++layer) {
            parameters_.push_back(call({}, 10));
            EXPECT_EQ(core_.pin(parameters_.back(), nobody_), outcome::done);
        }
    }

    void step()
    {
        std::vector<tp::tensor_id> activations{call({}, 40)};
        for (const tp::tensor_id parameter : parameters_) {
            const tp::tensor_id before = activations.back();
            const tp::tensor_id wide = call({before, parameter}, 80);
            activations.push_back(call({wide, wide}, 40));
            core_.release(wide, nobody_);
        }
        tp::tensor_id gradient = call({activations.back()}, 40);
        for (std::size_t layer = layers; layer-- > 0;) {
            const tp::tensor_id of_parameter = call({activations[layer], gradient}, 10);
            const tp::tensor_id below = call({gradient, parameters_[layer], view(activations[layer + 1])}, 40);
            core_.release(views_.back(), nobody_);
            core_.release(gradient, nobody_);
            core_.release(activations[layer + 1], nobody_);
            gradient = below;
            const tp::tensor_id updated = call({parameters_[layer], of_parameter}, 10);
            EXPECT_EQ(core_.pin(updated, nobody_), outcome::done);
            core_.release(of_parameter, nobody_);
            core_.release(parameters_[layer], nobody_);
            parameters_[layer] = updated;
        }
        core_.release(gradient, nobody_);
        core_.release(activations.front(), nobody_);
    }

    [[nodiscard]] live_nodes live() const
    {
        const tp::computation_graph& graph = core_.graph();
        return {graph.operators().live(),  graph.tensors().live(),  graph.storages().live(),
                graph.operators().bound(), graph.tensors().bound(), graph.storages().bound()};
    }
    [[nodiscard]] const Core& core() const { return core_; }

private:
    static constexpr std::size_t layers = 12;

    tp::tensor_id call(const std::vector<tp::tensor_id>& inputs, tp::byte_count bytes)
    {
        const std::array<tp::output, 1> results{tp::output{bytes}};
        const auto called = core_.call(5, inputs, results, nobody_);
        EXPECT_EQ(called.result, outcome::done);
        return core_.graph()[called.op].outputs.front();
    }
    tp::tensor_id view(tp::tensor_id of)
    {
        const std::array<tp::output, 1> results{tp::output{0, 0}};
        const auto called = core_.call(1, std::array{of}, results, nobody_);
        EXPECT_EQ(called.result, outcome::done);
        views_.assign(1, core_.graph()[called.op].outputs.front());
        return views_.back();
    }

    Core core_;
    tp::null_executor nobody_;
    std::vector<tp::tensor_id> parameters_;
    std::vector<tp::tensor_id> views_;
};

template <class Core>
void expect_constant(tp::byte_count budget)
{
    training<Core> loop(budget);
    for (int step = 0; step < 3; ++step) {
        loop.step();
    }
    const live_nodes early = loop.live();
    const tp::byte_count used = loop.core().books().used();
    for (int step = 3; step < 1'000; ++step) {
        loop.step();
        ASSERT_EQ(loop.core().books().used(), used) << "after step " << step;
    }
    EXPECT_TRUE(loop.live() == early) << loop.live().operators << " operators, " << loop.live().storages << " storages live";
    EXPECT_EQ(early.storages, 12U) << "only the parameters stay";
    EXPECT_EQ(used, 120);
    EXPECT_GT(loop.core().counters().pressure_evictions, 1'000U) << "the budget is no burden";
}

TEST(ConstantMemory, UnderEagerEviction)
{
    expect_constant<tp::decision_core<tp::evict_by<tp::h_dtr>>>(400);
    expect_constant<tp::decision_core<tp::evict_by<tp::h_dtr_eq>>>(400);
    expect_constant<tp::decision_core<tp::evict_by<tp::h_dtr_unopt>>>(400);
}

TEST(ConstantMemory, UnderBanishing)
{
    expect_constant<tp::decision_core<tp::evict_by<tp::h_dtr>, tp::deallocate_by<tp::banishing>>>(680);
    expect_constant<tp::decision_core<tp::evict_by<tp::h_dtr_eq>, tp::deallocate_by<tp::banishing>>>(680);
}

/// Looks at a parameter that stays, each let go of before the operator that took it is.
template <class Core>
void expect_views_to_be_forgotten()
{
    testing_decision::session<Core> s(100);
    const tp::tensor_id parameter = s.make(10);
    EXPECT_EQ(s.pin(parameter), outcome::done);
    std::size_t early = 0;
    for (int step = 0; step < 1'000; ++step) {
        const tp::tensor_id view = s.view_of(parameter);
        const tp::tensor_id activation = s.make(10, {view});
        s.release(view);
        const tp::tensor_id loss = s.make(10, {activation});
        s.release(activation);
        s.release(loss);
        const std::size_t live = s.core.graph().tensors().bound() + s.core.graph().operators().bound() +
                                 s.core.graph()[parameter].consumers.size() +
                                 s.core.graph()[s.core.graph().storage_of(parameter)].views.size();
        early = step == 0 ? live : early;
        ASSERT_EQ(live, early) << "after step " << step;
    }
    EXPECT_EQ(s.core.graph().tensors().live(), 1U);
    EXPECT_EQ(s.core.graph().operators().live(), 0U);
}

TEST(ConstantMemory, ViewsOfWhatStaysAreForgotten)
{
    expect_views_to_be_forgotten<tp::decision_core<>>();
    expect_views_to_be_forgotten<tp::decision_core<tp::evict_by<tp::h_dtr>>>();
    expect_views_to_be_forgotten<tp::decision_core<tp::deallocate_by<tp::banishing>>>();
}

TEST(ConstantMemory, ClassesAreForgottenToo)
{
    training<tp::decision_core<tp::evict_by<tp::h_dtr_eq>>> loop(400);
    for (int step = 0; step < 1'000; ++step) {
        loop.step();
        ASSERT_LE(loop.core().books().metadata<tp::metadata::equivalence_classes>().classes(), 2 * loop.core().graph().storages().live());
    }
}

}  // namespace
