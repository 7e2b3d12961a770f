#pragma once

// The laws of `metadata_kind`: `testing_laws::expect_metadata_kind_laws<my_kind>();`

#include "../policy/random_program.hpp"

#include <tidepool/decision/replay.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string_view>

namespace testing_laws {

using tidepool::operator/;  // for a term that lives elsewhere

/// The size, by which a storage is chosen, after two questions to the kind.
template <tidepool::metadata_kind Kind>
struct size_after_asking {
    using needs = tidepool::needs_set<Kind>;
    static constexpr std::string_view name = "size";
    static std::int64_t value(const auto& storage, const tidepool::decision_clock&)
    {
        static_cast<void>(storage.template get<Kind>());
        static_cast<void>(storage.template get<Kind>());
        return storage.bytes();
    }
};

/// Keeping a kind, telling it everything and asking it changes no decision, whatever the semantics and the deallocation.
template <tidepool::metadata_kind Kind, auto Semantics>
void expect_no_say()
{
    using with = tidepool::decision_core<tidepool::evict_by<1 / size_after_asking<Kind>{}>,
                                         tidepool::deallocate_by<tidepool::chosen_deallocation>, tidepool::semantics<Semantics>>;
    using without = tidepool::decision_core<tidepool::evict_by<tidepool::h_size>, tidepool::deallocate_by<tidepool::chosen_deallocation>,
                                            tidepool::semantics<Semantics>>;
    const auto property = [] {
        const tidepool::program program = testing_programs::program_builder({}).build(*testing_programs::any_choices(150));
        const auto action =
            *rc::gen::element(tidepool::release_action::ignore, tidepool::release_action::evict, tidepool::release_action::banish);
        const tidepool::byte_count peak = tidepool::replay<without>(program, {}, {action}).counters.max_memory;
        const auto percent = *rc::gen::resize(100, rc::gen::inRange<tidepool::byte_count>(20, 90));
        const tidepool::decision::limits limits{.budget = peak * percent / 100, .remat_compute = 100'000};
        const tidepool::replay_result kept = tidepool::replay<with>(program, limits, {action});
        const tidepool::replay_result alone = tidepool::replay<without>(program, limits, {action});
        RC_ASSERT(kept.outcome == alone.outcome);
        RC_ASSERT(kept.clock == alone.clock);
        RC_ASSERT(kept.evictions == alone.evictions);
    };
    EXPECT_TRUE(rc::check("a kind of metadata has no say", property));
}

template <tidepool::metadata_kind Kind>
void expect_metadata_kind_laws()
{
    expect_no_say<Kind, tidepool::simrd>();
    expect_no_say<Kind, tidepool::tidepool>();
}

}  // namespace testing_laws
