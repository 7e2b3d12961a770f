#pragma once

// The program that a log means. Source: simrd, the simulator of DTR's authors (parse/parse.py).

#include "log_error.hpp"
#include "log_instruction.hpp"
#include "log_reader.hpp"
#include "program.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace tidepool {

/// How a log becomes a program.
struct lowering_options {
    bool pin_outputs = true;        ///< what is still referenced at the end of the log is brought back and held
    std::string file = "<memory>";  ///< the log's name in errors
};

namespace detail {

/// Walks over a log and appends what each instruction means to a program.
class log_lowering {
public:
    log_lowering(std::span<const log_instruction> log, const lowering_options& options)
        : log_(log), pin_outputs_(options.pin_outputs), place_{options.file, 0}
    {
    }

    program lower()
    {
        for (next_ = first_of_step(); next_ < log_.size();) {
            step();
        }
        if (pin_outputs_) {
            for (const tensor_id tensor : tensor_of_name_) {
                if (facts_[index(tensor)].references > 0) {
                    program_.pin(tensor);
                }
            }
        }
        return std::move(program_);
    }

private:
    // A name's place in the order in which names first appeared.
    using name_number = std::uint32_t;

    struct tensor_facts {
        std::int64_t references;
        byte_count storage_bytes;
    };

    // Everything up to the first START is from before the measured step. Without one the whole log counts.
    [[nodiscard]] std::size_t first_of_step() const
    {
        for (std::size_t i = 0; i < log_.size(); ++i) {
            const auto* const annotate = std::get_if<log_annotate>(&log_[i]);
            if (annotate != nullptr && annotate->annotation == log_start) {
                return i + 1;
            }
        }
        return 0;
    }

    void step()
    {
        const log_instruction& instruction = log_[next_++];
        const std::size_t line = next_;
        place_.line = line;
        try {
            std::visit([this](const auto& each) { lower(each); }, instruction);
        } catch (const invalid_program& broken) {
            place_.line = line;
            place_.fail(broken.what(), "at most 2^32 nodes, and from 0 to 2^62 bytes and nanoseconds in all");
        }
    }

    void lower(const log_constant& constant)
    {
        const output result{follower<log_memory>("MEMORY", constant.name).bytes};
        const tensor_id tensor = append("constant", 0, {}, std::span(&result, 1));
        define(constant.name, tensor);
        program_.pin(tensor);
    }

    void lower(const log_memory& memory) const { place_.fail("a MEMORY of " + excerpt(memory.name), "it only after its CONSTANT or CALL"); }
    void lower(const log_alias& alias) const { place_.fail("an ALIAS of " + excerpt(alias.name), "it only after its MEMORY"); }

    void lower(const log_call& call)
    {
        if (call.results.empty()) {
            place_.fail("a CALL of " + excerpt(call.name) + " without results", "one or more");
        }
        find_arguments(call.arguments);
        results_.clear();
        for (const std::string& name : call.results) {
            const byte_count bytes = follower<log_memory>("MEMORY", name).bytes;
            const std::int32_t argument = follower<log_alias>("ALIAS", name).argument;
            if (argument == log_alias::none) {
                results_.push_back({bytes});
            } else {
                require_argument(argument, call.arguments.size(), "ALIAS");
                results_.push_back({0, argument});
            }
        }
        const tensor_id first = append(call.name, call.time, arguments_, results_);
        for (std::size_t i = 0; i < call.results.size(); ++i) {
            define(call.results[i], tensor_id{static_cast<std::uint32_t>(index(first) + i)});
        }
    }

    // Copy-on-write: the operator makes fresh storages, and the names of what it changed mean them from here on.
    void lower(const log_mutate& mutate)
    {
        if (mutate.mutated.empty()) {
            place_.fail("a MUTATE of " + excerpt(mutate.name) + " that changes nothing", "one index or more");
        }
        find_arguments(mutate.arguments);
        results_.clear();
        for (const std::int32_t argument : mutate.mutated) {
            require_argument(argument, mutate.arguments.size(), "MUTATE");
            results_.push_back({facts_[index(arguments_[static_cast<std::size_t>(argument)])].storage_bytes});
        }
        const tensor_id first = append(mutate.name, mutate.time, arguments_, results_);
        for (std::size_t i = 0; i < mutate.mutated.size(); ++i) {
            const name_number name = find(mutate.arguments[static_cast<std::size_t>(mutate.mutated[i])]);
            release(std::exchange(tensor_of_name_[name], tensor_id{static_cast<std::uint32_t>(index(first) + i)}));
        }
    }

    void lower(const log_copy& copy)
    {
        const tensor_id source = tensor_of_name_[find(copy.source)];
        define(copy.destination, source);
        get(source);
    }

    void lower(const log_copy_from& copy)
    {
        const tensor_id source = tensor_of_name_[find(copy.source)];
        release(std::exchange(tensor_of_name_[find(copy.destination)], source));
        get(source);
    }

    void lower(const log_release& gone)
    {
        const auto found = number_of_name_.find(gone.name);
        if (found != number_of_name_.end()) {  // a name from before START may be let go after it
            release(tensor_of_name_[found->second]);
        }
    }

    void lower(const log_pin& pin) { program_.pin(tensor_of_name_[find(pin.name)]); }

    void lower(const log_annotate&) const noexcept {}

    // The MEMORY or ALIAS that must come now, about `name`.
    template <class Instruction>
    const Instruction& follower(const char* kind, const std::string& name)
    {
        const std::string expected = std::string("the ") + kind + " of " + excerpt(name);
        place_.line = next_ + 1;
        if (next_ == log_.size()) {
            place_.fail("the end of the log", expected);
        }
        const auto* const found = std::get_if<Instruction>(&log_[next_]);
        if (found == nullptr) {
            place_.fail("another instruction", expected);
        }
        if (found->name != name) {
            place_.fail(std::string("the ") + kind + " of " + excerpt(found->name), expected);
        }
        ++next_;
        return *found;
    }

    void require_argument(std::int32_t argument, std::size_t count, const char* kind) const
    {
        if (argument < 0 || static_cast<std::size_t>(argument) >= count) {
            place_.fail(std::string(kind) + " " + std::to_string(argument),
                        "an index below the number of arguments, " + std::to_string(count));
        }
    }

    [[nodiscard]] name_number find(const std::string& name) const
    {
        const auto found = number_of_name_.find(name);
        if (found == number_of_name_.end()) {
            place_.fail("the undefined tensor " + excerpt(name), "one that was defined since START");
        }
        return found->second;
    }

    void find_arguments(const std::vector<std::string>& names)
    {
        arguments_.clear();
        for (const std::string& name : names) {
            arguments_.push_back(tensor_of_name_[find(name)]);
        }
    }

    tensor_id append(std::string_view name, nanoseconds cost, std::span<const tensor_id> arguments, std::span<const output> results)
    {
        const tensor_id first = program_.call(name, cost, arguments, results);
        for (const output& result : results) {
            const byte_count bytes =
                result.is_view() ? facts_[index(arguments[static_cast<std::size_t>(result.alias)])].storage_bytes : result.bytes;
            facts_.push_back({1, bytes});
        }
        return first;
    }

    void define(const std::string& name, tensor_id tensor)
    {
        const auto [place, added] = number_of_name_.try_emplace(name, static_cast<name_number>(tensor_of_name_.size()));
        if (added) {
            tensor_of_name_.push_back(tensor);
        } else {
            tensor_of_name_[place->second] = tensor;
        }
    }

    void get(tensor_id tensor)
    {
        ++facts_[index(tensor)].references;
        program_.get(tensor);
    }

    void release(tensor_id tensor)
    {
        if (facts_[index(tensor)].references == 0) {
            place_.fail("one release too many", "a tensor that is still referenced");
        }
        --facts_[index(tensor)].references;
        program_.release(tensor);
    }

    std::span<const log_instruction> log_;
    bool pin_outputs_;
    log_place place_;
    std::size_t next_ = 0;

    program program_;
    std::vector<tensor_facts> facts_;  // by tensor
    std::unordered_map<std::string_view, name_number> number_of_name_;
    std::vector<tensor_id> tensor_of_name_;

    std::vector<tensor_id> arguments_;  // of the instruction at hand
    std::vector<output> results_;
};

}  // namespace detail

/// The program of a log. Names are forgotten except the operators'; constants are operators called "constant".
///
/// Everything up to the first ANNOTATE of START is dropped. A release of a name that was never defined is ignored. At the end
/// each name that is still referenced is pinned, in the order in which the names first appeared.
/// Errors: `log_error` with the line of the instruction (instruction `i` stands on line `i + 1`). Complexity: linear.
[[nodiscard]] inline program program_from_log(std::span<const log_instruction> log, const lowering_options& options = {})
{
    return detail::log_lowering(log, options).lower();
}

/// The program of a log file, called so in errors whatever `options` says.
[[nodiscard]] inline program program_from_log(const std::filesystem::path& file, lowering_options options = {})
{
    options.file = file.string();
    return program_from_log(read_log(file), options);
}

}  // namespace tidepool
