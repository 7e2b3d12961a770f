#pragma once

// An executor that carries out decisions on symbolic values, and finds out at once when they do not fit together.

#include <tidepool/decision/executor.hpp>
#include <tidepool/graph/computation_graph.hpp>
#include <tidepool/graph/program.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace testing_decision {

inline std::uint64_t mix(std::uint64_t left, std::uint64_t right) noexcept
{
    std::uint64_t z = left * 0x9e3779b97f4a7c15U + right + 0x165667b19e3779f9U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    return z ^ (z >> 31U);
}

/// What each tensor of a program is when everything stays. A view is its storage's value under another name.
inline std::vector<std::uint64_t> interpret(const tidepool::program& program)
{
    std::vector<std::uint64_t> of_storage;  // by tensor: the value of the storage in which it lies
    std::vector<std::uint64_t> names;       // by tensor: 0 for what its storage was made as
    std::vector<std::uint64_t> values;      // by tensor
    for (std::uint32_t op = 0; op < program.operator_count(); ++op) {
        const auto inputs = program.inputs(tidepool::operator_id{op});
        std::uint64_t value = mix(op, 0);
        for (const tidepool::tensor_id input : inputs) {
            value = mix(value, values[index(input)]);
        }
        std::uint64_t place = 0;
        for (const tidepool::output& result : program.outputs(tidepool::operator_id{op})) {
            ++place;
            const std::uint64_t name = result.is_view() ? mix(op, place) : 0;
            of_storage.push_back(result.is_view() ? of_storage[index(inputs[static_cast<std::size_t>(result.alias)])] : mix(value, place));
            names.push_back(name);
            values.push_back(name == 0 ? of_storage.back() : mix(of_storage.back(), name));
        }
    }
    return values;
}

/// Keeps a value for each resident storage and the bytes that they take.
///
/// `fault()` says what went wrong first: an operator without one of its inputs, an eviction of nothing, too many bytes. It goes
/// by what it was told alone, not by the core's books. For semantics under which a view is there whenever its storage is.
class interpreter {
public:
    void run(const tidepool::computation_graph& graph, tidepool::operator_id op, bool again) noexcept
    {
        ++events_;
        const tidepool::operator_node& node = graph[op];
        if (again && numbers_.count(op) == 0) {
            return fail("an operator runs again that never ran");
        }
        if (!again) {  // ids of forgotten operators are used again
            numbers_[op] = {next_number_++, 0};
            for (const tidepool::tensor_id result : node.outputs) {
                numbers_[op].bytes += graph.is_view(result) ? 0 : graph[graph.storage_of(result)].bytes;
            }
        }
        const operator_record& record = numbers_[op];
        std::uint64_t value = mix(record.number, 0);
        for (const tidepool::tensor_id input : node.inputs) {
            if (resident_.count(graph.storage_of(input)) == 0) {
                return fail("an operator runs without one of its inputs");
            }
            value = mix(value, value_of(graph, input));
        }
        most_ = used_ + record.bytes > most_ ? used_ + record.bytes : most_;
        if (used_ + record.bytes > budget_) {
            fail("more bytes than the budget");
        }
        std::uint64_t place = 0;
        for (const tidepool::tensor_id result : node.outputs) {
            ++place;
            if (result == tidepool::no_tensor) {
                continue;
            }
            if (graph.is_view(result)) {
                if (!again) {
                    view_names_[result] = mix(record.number, place);
                }
                continue;
            }
            const tidepool::storage_id storage = graph.storage_of(result);
            if (!again) {
                view_names_.erase(result);
            }
            if (const auto had = resident_.find(storage); had != resident_.end()) {
                if (!again || had->second != mix(value, place)) {
                    fail("a result came out different the second time");
                }
                continue;
            }
            resident_[storage] = mix(value, place);
            used_ += graph[storage].bytes;
        }
    }

    void evict(const tidepool::computation_graph& graph, tidepool::storage_id storage, tidepool::eviction_reason reason) noexcept
    {
        ++events_;
        pressure_ += reason == tidepool::eviction_reason::pressure ? 1U : 0U;
        if (resident_.erase(storage) == 0) {
            return fail("an eviction of what is not there");
        }
        used_ -= graph[storage].bytes;
    }

    [[nodiscard]] bool is_resident(const tidepool::computation_graph& graph, tidepool::tensor_id tensor) const
    {
        return resident_.count(graph.storage_of(tensor)) == 1;
    }
    /// Of a resident tensor.
    [[nodiscard]] std::uint64_t value_of(const tidepool::computation_graph& graph, tidepool::tensor_id tensor) const
    {
        const std::uint64_t value = resident_.at(graph.storage_of(tensor));
        return graph.is_view(tensor) ? mix(value, view_names_.at(tensor)) : value;
    }

    void set_budget(tidepool::byte_count budget) noexcept { budget_ = budget; }
    [[nodiscard]] tidepool::byte_count used() const noexcept { return used_; }
    [[nodiscard]] tidepool::byte_count most() const noexcept { return most_; }
    [[nodiscard]] std::uint64_t events() const noexcept { return events_; }
    [[nodiscard]] std::uint64_t pressure() const noexcept { return pressure_; }
    [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

private:
    struct operator_record {
        std::uint64_t number;        ///< among first runs
        tidepool::byte_count bytes;  ///< of all its results
    };

    void fail(const char* what) noexcept { fault_ = fault_.empty() ? what : fault_; }

    std::unordered_map<tidepool::operator_id, operator_record> numbers_;
    std::unordered_map<tidepool::storage_id, std::uint64_t> resident_;
    std::unordered_map<tidepool::tensor_id, std::uint64_t> view_names_;
    tidepool::byte_count budget_ = INT64_MAX;
    tidepool::byte_count used_ = 0;
    tidepool::byte_count most_ = 0;
    std::uint64_t next_number_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t pressure_ = 0;
    std::string fault_;
};

}  // namespace testing_decision
