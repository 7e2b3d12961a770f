#pragma once

// The evicted neighbourhood e* with its boundary, kept by rebuilding and absorbing as the authors' simulator does.

#include <tidepool/policy/evicted_neighborhood.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace testing_policy {

using namespace tidepool;
using metadata::evicted_neighborhood;
using metadata::neighbors;
using metadata::own_costs;

/// For each resident storage the evicted storages that can be reached from it through evicted ones, towards what was computed
/// from it and towards what it was computed from, with their costs, and the resident storages at which that ends.
///
/// To the letter of the reference simulator: a region sees a new operator, or the cost of a view on an evicted storage, only
/// when it is next rebuilt. An oracle, not the fastest: bringing one storage back rebuilds the regions of all on its boundary.
class rebuilt_regions {
public:
    using value_type = evicted_neighborhood::value_type;
    using needs = evicted_neighborhood::needs;

    template <class State>
    void operator_added(const State& state, operator_id)
    {
        for (side& s : sides_) {
            s.regions.resize(state.graph().storages().bound());
        }
        stamps_.resize(state.graph().storages().bound());
    }

    template <class State>
    void evicted(const State& state, storage_id id)
    {
        for (const direction way : {towards_children, towards_parents}) {
            for (const storage_id seer : region_of(opposite(way), id).frontier) {
                if (seer != id) {
                    absorb(state, way, seer, id);
                }
            }
        }
        for (side& s : sides_) {
            s.regions[index(id)].clear();
        }
    }

    template <class State>
    void computed(const State& state, operator_id, std::span<const storage_id> filled, bool)
    {
        for (const direction way : {towards_children, towards_parents}) {
            around_[way].clear();
        }
        for (const storage_id id : filled) {
            for (const direction way : {towards_children, towards_parents}) {
                rebuild(state, way, id);
                const auto& frontier = region_of(way, id).frontier;
                around_[way].insert(around_[way].end(), frontier.begin(), frontier.end());
            }
        }
        for (const direction way : {towards_children, towards_parents}) {
            auto& seers = around_[opposite(way)];
            std::sort(seers.begin(), seers.end());
            seers.erase(std::unique(seers.begin(), seers.end()), seers.end());
            for (const storage_id seer : seers) {
                rebuild(state, way, seer);
            }
        }
    }

    template <class State>
    [[nodiscard]] value_type value(const State&, storage_id id) const noexcept
    {
        return {region_of(towards_children, id).cost, region_of(towards_parents, id).cost};
    }

private:
    enum direction : std::uint8_t { towards_children, towards_parents };
    static constexpr direction opposite(direction way) noexcept { return way == towards_children ? towards_parents : towards_children; }

    struct region {
        std::vector<storage_id> interior;  ///< evicted
        std::vector<storage_id> frontier;  ///< resident, may be evicted next
        nanoseconds cost = 0;

        void clear() noexcept
        {
            interior.clear();
            frontier.clear();
            cost = 0;
        }
    };
    struct side {
        std::vector<region> regions;
    };

    [[nodiscard]] region& region_of(direction way, storage_id id) noexcept { return sides_[way].regions[index(id)]; }
    [[nodiscard]] const region& region_of(direction way, storage_id id) const noexcept { return sides_[way].regions[index(id)]; }

    template <class State>
    static std::span<const storage_id> next(const State& state, direction way, storage_id id) noexcept
    {
        const auto around = state.template metadata<neighbors>().value(state, id);
        return way == towards_children ? around.children : around.parents;
    }
    template <class State>
    static nanoseconds own_cost(const State& state, storage_id id) noexcept
    {
        return state.template metadata<own_costs>().value(state, id);
    }

    template <class State>
    void rebuild(const State& state, direction way, storage_id base)
    {
        region& r = region_of(way, base);
        r.clear();
        if (state.is_pinned(base)) {
            return;  // it is never asked for, and never evicted
        }
        ++visit_;
        stamps_[index(base)] = visit_;
        const auto visit_from = [&](storage_id from) {
            for (const storage_id reached : next(state, way, from)) {
                if (std::exchange(stamps_[index(reached)], visit_) == visit_) {
                    continue;
                }
                if (!state.is_resident(reached)) {
                    r.interior.push_back(reached);
                    r.cost += own_cost(state, reached);
                } else if (!state.is_pinned(reached)) {
                    r.frontier.push_back(reached);
                }
            }
        };
        visit_from(base);
        for (std::size_t place = 0; place < r.interior.size(); ++place) {
            visit_from(r.interior[place]);
        }
    }

    /// `gone`, on the boundary of `seer`'s region, was evicted: what lay behind it is now inside.
    template <class State>
    void absorb(const State& state, direction way, storage_id seer, storage_id gone)
    {
        region& r = region_of(way, seer);
        const region& behind = region_of(way, gone);
        const auto place = std::find(r.frontier.begin(), r.frontier.end(), gone);
        if (place == r.frontier.end()) {
            return;
        }
        *place = r.frontier.back();
        r.frontier.pop_back();
        add_new(r.frontier, behind.frontier, [](storage_id) {});
        const auto add_cost = [&](storage_id id) { r.cost += own_cost(state, id); };
        add_new(r.interior, behind.interior, add_cost);
        r.interior.push_back(gone);
        add_cost(gone);
    }

    template <class Function>
    void add_new(std::vector<storage_id>& to, const std::vector<storage_id>& from, Function&& added)
    {
        ++visit_;
        for (const storage_id id : to) {
            stamps_[index(id)] = visit_;
        }
        for (const storage_id id : from) {
            if (std::exchange(stamps_[index(id)], visit_) != visit_) {
                to.push_back(id);
                added(id);
            }
        }
    }

    std::array<side, 2> sides_;
    std::array<std::vector<storage_id>, 2> around_;
    std::vector<std::uint64_t> stamps_;
    std::uint64_t visit_ = 0;
};

}  // namespace testing_policy
