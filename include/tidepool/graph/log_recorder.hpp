#pragma once

// Records what a program does as a log.

#include "log_instruction.hpp"
#include "program.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidepool {

/// Hands out names for tensors ("x0", "x1", …) and passes the instructions of a log to a sink in the order of the calls.
///
/// Sizes and times are in bytes and nanoseconds and must not be negative; names must be ones that the recorder gave, and views'
/// indices must lie within the inputs. The recorder keeps no table and checks nothing of this: `program_from_log` does, with
/// the line. What the sink throws passes through. Not safe to share.
class log_recorder {
public:
    using sink = std::function<void(log_instruction)>;

    /// Records into `out`. Nothing before an annotation of "START" counts when the log has one.
    explicit log_recorder(sink out) : out_(std::move(out)) {}

    /// A tensor that exists before the step, with one reference.
    std::string constant(byte_count bytes)
    {
        std::string name = fresh();
        out_(log_constant{name});
        out_(log_memory{name, bytes});
        return name;
    }

    /// An operator that ran for `time`. Returns its results' names; each starts with one reference.
    std::vector<std::string> call(std::string_view name, std::span<const std::string> inputs, std::span<const output> results,
                                  nanoseconds time)
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < results.size(); ++i) {
            names.push_back(fresh());
        }
        out_(log_call{std::string(name), {inputs.begin(), inputs.end()}, names, time});
        for (std::size_t i = 0; i < results.size(); ++i) {
            out_(log_memory{names[i], results[i].bytes});
            out_(log_alias{names[i], results[i].alias});
        }
        return names;
    }

    /// An operator that ran in place on the inputs at the indices `mutated`; their names mean the new values from here on.
    void mutate(std::string_view name, std::span<const std::string> inputs, std::span<const std::int32_t> mutated, nanoseconds time)
    {
        out_(log_mutate{std::string(name), {inputs.begin(), inputs.end()}, {mutated.begin(), mutated.end()}, time});
    }

    /// One more reference to a tensor, under a name of its own.
    std::string copy(std::string_view source)
    {
        std::string name = fresh();
        out_(log_copy{name, std::string(source)});
        return name;
    }

    /// Makes the name `destination` mean the tensor of `source`.
    void copy_from(std::string_view destination, std::string_view source)
    {
        out_(log_copy_from{std::string(destination), std::string(source)});
    }

    void release(std::string_view name) { out_(log_release{std::string(name)}); }
    void pin(std::string_view name) { out_(log_pin{std::string(name)}); }
    void annotate(std::string_view mark) { out_(log_annotate{std::string(mark)}); }

private:
    std::string fresh() { return "x" + std::to_string(tensors_++); }

    sink out_;
    std::uint64_t tensors_ = 0;
};

static_assert(output::own_storage == log_alias::none, "a result's alias is written as it is");

}  // namespace tidepool
