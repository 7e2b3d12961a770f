// Under `semantics<tidepool>` every program gives what it gives without a budget: nothing runs without its inputs, nothing
// exceeds the budget, everything that is referenced can be read at the end.

#include "../policy/random_program.hpp"
#include "interpreter.hpp"

#include <tidepool/decision/replay.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tp = tidepool;
using tp::decision::outcome;

namespace {

/// How many programs ran, and how many of them had to evict to make room.
struct tally {
    int programs = 0;
    int under_pressure = 0;
    int refused = 0;
};

template <class Core>
class checked_run {
public:
    checked_run(const tp::program& program, tp::byte_count budget, tp::chosen_deallocation deallocation)
        : expected_(testing_decision::interpret(program)),
          core_({budget, tp::decision::limits{}.remat_compute, 0}, deallocation),
          feed_(program, core_),
          budget_(budget)
    {
        executor_.set_budget(budget);
    }

    void to_the_end()
    {
        while (!feed_.done()) {
            carry_through([&] { return feed_.step(executor_); });
            check();
        }
    }

    /// Reads each, in an order of no meaning.
    void read_all(const std::vector<tp::tensor_id>& held)
    {
        for (std::size_t i = 0; i < held.size(); ++i) {
            const tp::tensor_id tensor = held[(i * 7919) % held.size()];
            const tp::tensor_id named = feed_.in_core(tensor);
            carry_through([&] { return core_.read(named, executor_); });
            check();
            RC_ASSERT(executor_.is_resident(core_.graph(), named));
            RC_ASSERT(executor_.value_of(core_.graph(), named) == expected_[index(tensor)]);
        }
    }

    [[nodiscard]] bool evicted_under_pressure() const { return executor_.pressure() > 0; }
    [[nodiscard]] bool was_refused() const { return refused_; }

private:
    void check()
    {
        RC_ASSERT(executor_.fault() == std::string());
        RC_ASSERT(executor_.used() == core_.books().used());
        RC_ASSERT(executor_.used() <= budget_);
        RC_ASSERT(executor_.most() == core_.counters().max_memory);
    }

    /// A refusal leaves the core usable: with more budget the same request is carried through.
    template <class Request>
    void carry_through(Request&& request)
    {
        for (outcome result = request(); result != outcome::done; result = request()) {
            RC_ASSERT(result == outcome::out_of_budget);
            check();
            refused_ = true;
            budget_ += 64;
            executor_.set_budget(budget_);
            RC_ASSERT(core_.set_budget(budget_, executor_) == outcome::done);
        }
    }

    std::vector<std::uint64_t> expected_;
    testing_decision::interpreter executor_;
    Core core_;
    tp::program_feed<Core> feed_;
    tp::byte_count budget_;
    bool refused_ = false;
};

template <auto Heuristic>
void check_programs(tp::release_action action, tally& counts)
{
    using core = tp::decision_core<tp::evict_by<Heuristic>, tp::deallocate_by<tp::chosen_deallocation>>;
    const auto property = [&] {
        auto how = *testing_programs::any_choices(200);
        for (std::uint64_t more = 0; how.size() < 60; ++more) {  // too short a program never runs out of memory
            how.push_back(more);
        }
        testing_programs::program_builder builder({});
        const tp::program program = builder.build(how);
        const tp::chosen_deallocation deallocation{action};
        const tp::byte_count peak = tp::replay<core>(program, {}, deallocation).counters.max_memory;
        const auto percent = *rc::gen::resize(100, rc::gen::inRange<tp::byte_count>(20, 90));
        RC_LOG() << testing_programs::describe(program) << "peak " << peak << ", budget " << percent << " %\n";
        checked_run<core> run(program, peak * percent / 100, deallocation);
        run.to_the_end();
        run.read_all(builder.held());
        ++counts.programs;
        counts.under_pressure += run.evicted_under_pressure() ? 1 : 0;
        counts.refused += run.was_refused() ? 1 : 0;
    };
    for (int round = 0; round < 5; ++round) {
        EXPECT_TRUE(rc::check("every program gives what it gives without a budget", property));
    }
}

class RandomPrograms : public testing::TestWithParam<tp::release_action> {};

TEST_P(RandomPrograms, GiveWhatTheyGiveWithoutABudget)
{
    tally counts;
    check_programs<tp::h_dtr>(GetParam(), counts);
    check_programs<tp::h_dtr_eq>(GetParam(), counts);
    check_programs<tp::h_msps>(GetParam(), counts);
    check_programs<tp::h_lru>(GetParam(), counts);
    check_programs<tp::h_size>(GetParam(), counts);
    check_programs<tp::h_random>(GetParam(), counts);
    EXPECT_GE(counts.under_pressure * 10, counts.programs * 9) << "of " << counts.programs << " programs too few evict to make room";
    RecordProperty("refused", counts.refused);
}

INSTANTIATE_TEST_SUITE_P(Deallocations, RandomPrograms,
                         testing::Values(tp::release_action::ignore, tp::release_action::evict, tp::release_action::banish),
                         [](const auto& action) {
                             return std::string(action.param == tp::release_action::ignore  ? "ignore"
                                                : action.param == tp::release_action::evict ? "evict"
                                                                                            : "banish");
                         });

}  // namespace
