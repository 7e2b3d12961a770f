#pragma once

// A core beside an executor that finds out when decisions do not fit together, with requests as a test writes them.

#include "interpreter.hpp"

#include <tidepool/decision/core.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace testing_decision {

template <class Core>
class session {
public:
    explicit session(tidepool::byte_count budget = 1'000) : session(tidepool::decision::limits{.budget = budget}) {}
    explicit session(tidepool::decision::limits bounds) : core(bounds) { carry_out.set_budget(bounds.budget); }
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session()
    {
        if (Core::forgets) {  // under the simulator's semantics a view is not there whenever its storage is
            EXPECT_EQ(carry_out.fault(), "");
        }
    }

    /// A request that may be refused.
    tidepool::decision::outcome try_to_make(tidepool::byte_count bytes, const std::vector<tidepool::tensor_id>& inputs = {})
    {
        return request(inputs, {{bytes}}, 1).result;
    }
    std::vector<tidepool::tensor_id> call(const std::vector<tidepool::tensor_id>& inputs, const std::vector<tidepool::output>& results,
                                          tidepool::nanoseconds cost = 1)
    {
        const auto called = request(inputs, results, cost);
        EXPECT_EQ(called.result, tidepool::decision::outcome::done);
        const auto& outputs = core.graph()[called.op].outputs;
        return {outputs.begin(), outputs.end()};
    }
    tidepool::tensor_id make(tidepool::byte_count bytes, const std::vector<tidepool::tensor_id>& inputs = {},
                             tidepool::nanoseconds cost = 1)
    {
        return call(inputs, {{bytes}}, cost).front();
    }
    tidepool::tensor_id view_of(tidepool::tensor_id tensor) { return call({tensor}, {{0, 0}}).front(); }

    void release(tidepool::tensor_id tensor) { core.release(tensor, carry_out); }
    [[nodiscard]] bool evict(tidepool::tensor_id tensor) { return core.evict(tensor, carry_out); }
    [[nodiscard]] tidepool::decision::outcome read(tidepool::tensor_id tensor) { return core.read(tensor, carry_out); }
    [[nodiscard]] tidepool::decision::outcome pin(tidepool::tensor_id tensor) { return core.pin(tensor, carry_out); }
    [[nodiscard]] tidepool::decision::outcome set_budget(tidepool::byte_count budget)
    {
        carry_out.set_budget(budget > carry_out.used() ? budget : carry_out.used());
        const auto result = core.set_budget(budget, carry_out);
        carry_out.set_budget(core.books().budget());
        return result;
    }

    Core core;
    interpreter carry_out;

private:
    tidepool::decision::call_result request(const std::vector<tidepool::tensor_id>& inputs, const std::vector<tidepool::output>& results,
                                            tidepool::nanoseconds cost)
    {
        return core.call(cost, inputs, results, carry_out);
    }
};

}  // namespace testing_decision
