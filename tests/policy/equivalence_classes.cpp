// The union-find of evicted components against a plain list of sets.

#include "random_program.hpp"
#include "watched.hpp"

#include <tidepool/decision/replay.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace tp = tidepool;
namespace kinds = tidepool::metadata;

namespace {

/// Components as the paper has them: evicting joins, bringing back subtracts, nothing is ever split.
class listed_classes {
public:
    template <class State>
    void operator_added(const State& state, tp::operator_id id)
    {
        const auto& graph = state.graph();
        class_of_.resize(graph.storages().bound(), none);
        for (const tp::tensor_id result : graph[id].outputs) {
            if (!graph.is_view(result)) {
                class_of_[index(graph.storage_of(result))] = create(0);
            }
        }
    }
    template <class State>
    void evicted(const State& state, tp::storage_id id)
    {
        class_of_[index(id)] = create(own_cost(state, id));
        for (const tp::storage_id neighbor : evicted_around(state, id)) {
            const std::size_t kept = class_of_[index(id)];
            const std::size_t joined = class_of_[index(neighbor)];
            if (kept == joined) {
                continue;
            }
            costs_[kept] += costs_[joined];
            std::replace(class_of_.begin(), class_of_.end(), joined, kept);
        }
    }
    template <class State>
    void computed(const State& state, tp::operator_id, std::span<const tp::storage_id> filled, bool)
    {
        for (const tp::storage_id id : filled) {
            leave(state, id);
        }
    }
    template <class State>
    void forgetting(const State& state, tp::storage_id id)
    {
        leave(state, id);
    }
    template <class State>
    tp::nanoseconds value(const State& state, tp::storage_id id) const
    {
        std::set<std::size_t> classes;
        for (const tp::storage_id neighbor : evicted_around(state, id)) {
            classes.insert(class_of_[index(neighbor)]);
        }
        tp::nanoseconds sum = own_cost(state, id);
        for (const std::size_t each : classes) {
            sum += costs_[each];
        }
        return sum;
    }
    static bool same(tp::nanoseconds known, tp::nanoseconds found) { return known == found; }

private:
    static constexpr std::size_t none = SIZE_MAX;

    std::size_t create(tp::nanoseconds cost)
    {
        costs_.push_back(cost);
        return costs_.size() - 1;
    }
    template <class State>
    void leave(const State& state, tp::storage_id id)
    {
        if (class_of_[index(id)] != none) {
            costs_[class_of_[index(id)]] -= own_cost(state, id);
            class_of_[index(id)] = none;
        }
    }
    template <class State>
    static tp::nanoseconds own_cost(const State& state, tp::storage_id id)
    {
        return state.template metadata<kinds::own_costs>().value(state, id);
    }
    template <class State>
    static std::vector<tp::storage_id> evicted_around(const State& state, tp::storage_id id)
    {
        std::vector<tp::storage_id> found;
        const auto around = state.template metadata<kinds::neighbors>().value(state, id);
        for (const auto side : {around.parents, around.children}) {
            std::copy_if(side.begin(), side.end(), std::back_inserter(found),
                         [&](tp::storage_id next) { return !state.is_resident(next); });
        }
        return found;
    }

    std::vector<std::size_t> class_of_;  ///< by storage
    std::vector<tp::nanoseconds> costs_;
};

using watched_classes = testing_policy::watched<kinds::equivalence_classes, listed_classes>;

struct watched_cost {
    using needs = tp::needs_set<watched_classes>;
    static constexpr std::string_view name = "cost(watched classes)";
    static std::int64_t value(const auto& storage, const tp::decision_clock&) { return storage.template get<watched_classes>(); }
};

template <auto Semantics>
void replay_watched(const tp::program& program, tp::byte_count budget, tp::chosen_deallocation deallocation)
{
    using core = tp::decision_core<tp::evict_by<watched_cost{} / tp::terms::size>, tp::deallocate_by<tp::chosen_deallocation>,
                                   tp::semantics<Semantics>>;
    const auto differences = watched_classes::differences;
    static_cast<void>(tp::replay<core>(program, {budget, 300 * static_cast<tp::nanoseconds>(program.operator_count()), 0}, deallocation));
    RC_ASSERT(watched_classes::differences == differences);
}

TEST(EquivalenceClasses, AreTheSetsOfTheList)
{
    const bool holds = rc::check("a list of sets gives the same sums", [] {
        const tp::program program = testing_programs::program_builder({}).build(*testing_programs::any_choices(250));
        const tp::byte_count peak = tp::measure_baseline(program).peak;
        const auto percent = *rc::gen::resize(100, rc::gen::inRange<tp::byte_count>(15, 80));
        const tp::chosen_deallocation deallocation{
            *rc::gen::element(tp::release_action::ignore, tp::release_action::evict, tp::release_action::banish)};
        RC_LOG() << testing_programs::describe(program) << "budget " << percent << " %, deallocation "
                 << static_cast<int>(deallocation.action) << "\n";
        replay_watched<tp::simrd>(program, peak * percent / 100, deallocation);
        replay_watched<tp::tidepool>(program, peak * percent / 100, deallocation);
    });
    EXPECT_TRUE(holds);
    EXPECT_GT(watched_classes::questions, 10'000U) << "the programs hardly evict";
}

/// A chain whose middle goes and comes back again and again: nodes that nobody is in are used again.
template <auto Semantics>
std::size_t most_classes(int cycles)
{
    using core = tp::decision_core<tp::evict_by<tp::h_dtr_eq>, tp::semantics<Semantics>>;
    core decisions;
    tp::null_executor nobody;
    constexpr std::array<tp::output, 1> one_byte{tp::output{1}};
    std::vector<tp::tensor_id> chain;
    for (int i = 0; i < 20; ++i) {
        const auto called = decisions.call(1, i == 0 ? std::span<const tp::tensor_id>() : std::span(&chain.back(), 1), one_byte, nobody);
        chain.push_back(decisions.graph()[called.op].outputs.front());
    }
    std::size_t most = 0;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        for (std::size_t place = 1; place < chain.size(); ++place) {  // another order each time, so that joins differ
            EXPECT_TRUE(decisions.evict(chain[1 + (place * 7 + static_cast<std::size_t>(cycle)) % 19], nobody));
        }
        for (std::size_t place = 19; place > 0; --place) {
            EXPECT_EQ(decisions.read(chain[(place + static_cast<std::size_t>(cycle) % 5) % 20], nobody), tp::decision::outcome::done);
        }
        EXPECT_EQ(decisions.read(chain.back(), nobody), tp::decision::outcome::done);
        for (const tp::tensor_id each : chain) {
            EXPECT_EQ(decisions.read(each, nobody), tp::decision::outcome::done);
        }
        most = std::max(most, decisions.books().template metadata<kinds::equivalence_classes>().classes());
    }
    return most;
}

TEST(EquivalenceClasses, DoNotPileUp)
{
    EXPECT_LE(most_classes<tp::simrd>(10'000), 40U);
    EXPECT_LE(most_classes<tp::tidepool>(10'000), 40U);
}

/// Half of a large pool goes and comes back at random: at no time are there more nodes than twice the storages.
TEST(EquivalenceClasses, StayBoundedUnderRandomEvictions)
{
    const bool holds = rc::check("at most two nodes a storage", [] {
        const tp::program program =
            testing_programs::program_builder({.pins = false, .releases = 10}).build(*testing_programs::any_choices(200));
        using core = tp::decision_core<tp::evict_by<tp::h_dtr_eq>>;
        core decisions;
        tp::null_executor nobody;
        tp::program_feed<core> feed(program, decisions);
        while (!feed.done()) {
            RC_ASSERT(feed.step(nobody) == tp::decision::outcome::done);
        }
        const auto bound = static_cast<std::uint32_t>(decisions.graph().storages().bound());
        for (int step = 0; step < 500; ++step) {
            const tp::storage_id storage{*rc::gen::resize(100, rc::gen::inRange<std::uint32_t>(0, bound))};
            if (decisions.graph()[storage].references == 0) {
                continue;
            }
            const tp::tensor_id tensor = decisions.graph()[storage].views.front();
            if (decisions.is_resident(tensor)) {
                RC_ASSERT(decisions.evict(tensor, nobody));
            } else {
                RC_ASSERT(decisions.read(tensor, nobody) == tp::decision::outcome::done);
            }
            RC_ASSERT(decisions.books().metadata<kinds::equivalence_classes>().classes() <= 2 * bound);
        }
    });
    EXPECT_TRUE(holds);
}

}  // namespace
