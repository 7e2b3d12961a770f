// Recording: what a program tells the recorder is what the log means.

#include <tidepool/graph/log_program.hpp>
#include <tidepool/graph/log_reader.hpp>
#include <tidepool/graph/log_recorder.hpp>
#include <tidepool/graph/log_writer.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tp = tidepool;

namespace {

TEST(LogRecorder, HandsOutNamesAndPassesOnInstructions)
{
    std::vector<tp::log_instruction> log;
    tp::log_recorder recorder([&](tp::log_instruction instruction) { log.push_back(std::move(instruction)); });
    recorder.annotate("START");
    const std::string a = recorder.constant(8);
    const std::vector<tp::output> results{{16}, {8, 0}};
    const std::vector<std::string> made = recorder.call("f", std::vector{a}, results, 5);
    recorder.mutate("g_", made, std::vector{1}, 6);
    const std::string b = recorder.copy(made[0]);
    recorder.copy_from(a, b);
    recorder.pin(a);
    recorder.release(b);
    EXPECT_EQ(a, "x0");
    EXPECT_EQ(made, (std::vector<std::string>{"x1", "x2"}));
    EXPECT_EQ(b, "x3");
    const std::vector<tp::log_instruction> expected{
        tp::log_annotate{"START"},
        tp::log_constant{"x0"},
        tp::log_memory{"x0", 8},
        tp::log_call{"f", {"x0"}, {"x1", "x2"}, 5},
        tp::log_memory{"x1", 16},
        tp::log_alias{"x1", -1},
        tp::log_memory{"x2", 8},
        tp::log_alias{"x2", 0},
        tp::log_mutate{"g_", {"x1", "x2"}, {1}, 6},
        tp::log_copy{"x3", "x1"},
        tp::log_copy_from{"x0", "x3"},
        tp::log_pin{"x0"},
        tp::log_release{"x3"},
    };
    EXPECT_EQ(log, expected);
}

/// Does random things, and tells a recorder and a program of its own of each.
class random_run {
public:
    random_run()
    {
        constant();
        const int steps = *rc::gen::inRange(0, 60);
        for (int i = 0; i < steps; ++i) {
            switch (*rc::gen::inRange(0, 8)) {
                case 0:
                    constant();
                    break;
                case 1:
                    mutate();
                    break;
                case 2:
                    copy();
                    break;
                case 3:
                    copy_from();
                    break;
                case 4:
                    release();
                    break;
                case 5:
                    pin();
                    break;
                default:
                    call();
                    break;
            }
        }
        for (const named& each : names) {
            if (references[index(each.tensor)] > 0) {
                expected.pin(each.tensor);
            }
        }
    }

    std::vector<tp::log_instruction> log;
    tp::program expected;

private:
    struct named {
        std::string name;
        tp::tensor_id tensor;
    };

    void constant()
    {
        const std::vector<tp::output> result{{*rc::gen::inRange<tp::byte_count>(0, 100)}};
        const std::string name = recorder.constant(result[0].bytes);
        names.push_back({name, append("constant", 0, {}, result)});
        expected.pin(names.back().tensor);
    }

    void call()
    {
        const auto arguments = some();
        std::vector<tp::output> results, asked;
        const int count = *rc::gen::inRange(1, 4);
        for (int i = 0; i < count; ++i) {
            const auto bytes = *rc::gen::inRange<tp::byte_count>(0, 100);
            const auto alias = *rc::gen::inRange<std::int32_t>(-1, static_cast<std::int32_t>(arguments.size()));
            asked.push_back({bytes, alias});  // a view is recorded with bytes that do not count
            results.push_back(alias == tp::output::own_storage ? tp::output{bytes} : tp::output{0, alias});
        }
        const auto time = *rc::gen::inRange<tp::nanoseconds>(0, 100);
        const auto made = recorder.call("f", names_of(arguments), asked, time);
        const tp::tensor_id first = append("f", time, tensors_of(arguments), results);
        for (std::size_t i = 0; i < made.size(); ++i) {
            names.push_back({made[i], tp::tensor_id{static_cast<std::uint32_t>(index(first) + i)}});
        }
    }

    void mutate()
    {
        const auto arguments = some();
        if (arguments.empty()) {
            return;
        }
        std::vector<std::int32_t> mutated;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const bool once = std::find(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments[i]) ==
                              arguments.begin() + static_cast<std::ptrdiff_t>(i);
            if (once && references[index(names[arguments[i]].tensor)] > 0 && (mutated.empty() || *rc::gen::arbitrary<bool>())) {
                mutated.push_back(static_cast<std::int32_t>(i));
            }
        }
        std::vector<tp::output> results;
        for (const std::int32_t i : mutated) {
            results.push_back({storage_bytes[index(names[arguments[static_cast<std::size_t>(i)]].tensor)]});
        }
        if (mutated.empty() || needs_more_than_it_has(arguments, mutated)) {
            return;
        }
        recorder.mutate("g_", names_of(arguments), mutated, 7);
        const tp::tensor_id first = append("g_", 7, tensors_of(arguments), results);
        for (std::size_t i = 0; i < mutated.size(); ++i) {
            named& changed = names[arguments[static_cast<std::size_t>(mutated[i])]];
            drop(changed.tensor);
            changed.tensor = tp::tensor_id{static_cast<std::uint32_t>(index(first) + i)};
        }
    }

    void copy()
    {
        const std::size_t source = any();
        names.push_back({recorder.copy(names[source].name), names[source].tensor});
        take(names.back().tensor);
    }

    void copy_from()
    {
        const std::size_t destination = any(), source = any();
        if (references[index(names[destination].tensor)] > 0) {
            recorder.copy_from(names[destination].name, names[source].name);
            const tp::tensor_id tensor = names[source].tensor;
            drop(names[destination].tensor);
            names[destination].tensor = tensor;
            take(tensor);
        }
    }

    void release()
    {
        const named& gone = names[any()];
        if (references[index(gone.tensor)] > 0) {
            recorder.release(gone.name);
            drop(gone.tensor);
        }
    }

    void pin()
    {
        const named& held = names[any()];
        recorder.pin(held.name);
        expected.pin(held.tensor);
    }

    std::size_t any() const { return *rc::gen::inRange<std::size_t>(0, names.size()); }
    std::vector<std::size_t> some() const
    {
        return *rc::gen::resize(4, rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, names.size())));
    }
    std::vector<std::string> names_of(const std::vector<std::size_t>& which) const
    {
        std::vector<std::string> all;
        for (const std::size_t i : which) {
            all.push_back(names[i].name);
        }
        return all;
    }
    std::vector<tp::tensor_id> tensors_of(const std::vector<std::size_t>& which) const
    {
        std::vector<tp::tensor_id> all;
        for (const std::size_t i : which) {
            all.push_back(names[i].tensor);
        }
        return all;
    }

    // Two names of one tensor may both be overwritten only if it has two references.
    bool needs_more_than_it_has(const std::vector<std::size_t>& arguments, const std::vector<std::int32_t>& mutated) const
    {
        std::vector<std::int64_t> left = references;
        for (const std::int32_t i : mutated) {
            if (left[index(names[arguments[static_cast<std::size_t>(i)]].tensor)]-- == 0) {
                return true;
            }
        }
        return false;
    }

    tp::tensor_id append(const char* name, tp::nanoseconds cost, const std::vector<tp::tensor_id>& inputs,
                         const std::vector<tp::output>& results)
    {
        for (const tp::output& result : results) {
            references.push_back(1);
            storage_bytes.push_back(result.is_view() ? storage_bytes[index(inputs[static_cast<std::size_t>(result.alias)])] : result.bytes);
        }
        return expected.call(name, cost, inputs, results);
    }
    void take(tp::tensor_id tensor)
    {
        ++references[index(tensor)];
        expected.get(tensor);
    }
    void drop(tp::tensor_id tensor)
    {
        --references[index(tensor)];
        expected.release(tensor);
    }

    std::vector<named> names;  // in the order of their first appearance
    std::vector<std::int64_t> references;
    std::vector<tp::byte_count> storage_bytes;
    tp::log_recorder recorder{[this](tp::log_instruction instruction) { log.push_back(std::move(instruction)); }};
};

void require_equal(const tp::program& found, const tp::program& expected)
{
    RC_ASSERT(found.operator_count() == expected.operator_count());
    RC_ASSERT(found.tensor_count() == expected.tensor_count());
    RC_ASSERT(std::ranges::equal(found.events(), expected.events()));
    for (std::uint32_t i = 0; i < found.operator_count(); ++i) {
        const tp::operator_id op{i};
        RC_ASSERT(found.name(op) == expected.name(op));
        RC_ASSERT(found.cost(op) == expected.cost(op));
        RC_ASSERT(found.first_output(op) == expected.first_output(op));
        RC_ASSERT(std::ranges::equal(found.inputs(op), expected.inputs(op)));
        RC_ASSERT(std::ranges::equal(found.outputs(op), expected.outputs(op)));
    }
}

RC_GTEST_PROP(LogRecorder, WhatIsRecordedWrittenAndReadIsTheProgram, ())
{
    const random_run run;
    std::stringstream text;
    tp::write_log(text, run.log);
    require_equal(tp::program_from_log(tp::read_log(text)), run.expected);
}

}  // namespace
