#pragma once

// A program: operators and the recorded order in which they were called and their tensors held and let go.

#include "../core/checked.hpp"
#include "../core/error.hpp"
#include "../core/units.hpp"
#include "ids.hpp"
#include "operator_kind.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tidepool {

/// One result of an operator: a storage of its own, or a view of an input's storage.
struct output {
    static constexpr std::int32_t own_storage = -1;

    byte_count bytes = 0;              ///< of the storage; 0 for a view
    std::int32_t alias = own_storage;  ///< index among the operator's inputs, for a view

    [[nodiscard]] constexpr bool is_view() const noexcept { return alias != own_storage; }

    friend bool operator==(const output&, const output&) = default;
};

/// A program was built from parts that do not fit together; `what()` says which rule was broken.
class invalid_program : public error {
public:
    using error::error;
};

/// What happens at one point of a program.
enum class event_kind : std::uint8_t {
    compute,  ///< an operator is called; each result starts with one reference
    get,      ///< one more reference to a tensor
    release,  ///< one reference fewer
    pin,      ///< bring the tensor back if it is missing, and never evict it again
};

/// Operators with the order of events around them, as flat arrays. Tensors are numbered from 0, by operator and result.
///
/// Built by appending; errors are `invalid_program` and leave the program as it was. Not safe to share while it is built.
class program {
public:
    struct event {
        event_kind kind;
        std::uint32_t target;  ///< an operator for `compute`, a tensor otherwise

        [[nodiscard]] operator_id as_operator() const noexcept { return operator_id{target}; }
        [[nodiscard]] tensor_id as_tensor() const noexcept { return tensor_id{target}; }

        friend bool operator==(const event&, const event&) = default;
    };

    /// Appends a call. Views cost their operator's `cost`, in nanoseconds, like any result. Returns the first result.
    tensor_id call(std::string_view name, nanoseconds cost, std::span<const tensor_id> inputs, std::span<const output> results)
    {
        if (cost < 0) {
            throw invalid_program("tidepool: an operator has a negative cost");
        }
        if (results.empty()) {
            throw invalid_program("tidepool: an operator has no result");
        }
        for (const tensor_id input : inputs) {
            require_tensor(input);
        }
        std::optional<byte_count> bytes = total_bytes_;
        for (const output& result : results) {
            if (result.bytes < 0) {
                throw invalid_program("tidepool: a result has a negative size");
            }
            if (result.is_view() && (result.alias < 0 || static_cast<std::size_t>(result.alias) >= inputs.size())) {
                throw invalid_program("tidepool: a view's index is outside its operator's inputs");
            }
            if (result.is_view() && result.bytes != 0) {
                throw invalid_program("tidepool: a view has bytes of its own");
            }
            bytes = bytes ? checked_add(*bytes, result.bytes) : bytes;
        }
        const auto compute = checked_add(total_cost_, cost);
        if (!bytes || !compute || *bytes > largest_total || *compute > largest_total) {
            throw invalid_program("tidepool: sizes or costs add up to more than 2^62");
        }
        const tensor_id first{static_cast<std::uint32_t>(outputs_.size())};
        operators_.push_back({cost, intern(name), narrow(inputs_.size()), narrow(inputs.size()), narrow(outputs_.size()), narrow(results.size())});
        append_copy(inputs_, inputs);
        append_copy(outputs_, results);
        events_.push_back({event_kind::compute, narrow(operators_.size() - 1)});
        total_bytes_ = *bytes;
        total_cost_ = *compute;
        return first;
    }

    void get(tensor_id tensor) { append(event_kind::get, tensor); }
    void release(tensor_id tensor) { append(event_kind::release, tensor); }
    void pin(tensor_id tensor) { append(event_kind::pin, tensor); }

    [[nodiscard]] std::span<const event> events() const noexcept { return events_; }
    [[nodiscard]] std::size_t operator_count() const noexcept { return operators_.size(); }
    [[nodiscard]] std::size_t tensor_count() const noexcept { return outputs_.size(); }

    [[nodiscard]] nanoseconds cost(operator_id op) const noexcept { return operators_[index(op)].cost; }
    [[nodiscard]] std::string_view name(operator_id op) const noexcept { return names_[operators_[index(op)].name]; }
    [[nodiscard]] operator_kind kind(operator_id op) const noexcept { return kinds_[operators_[index(op)].name]; }
    [[nodiscard]] std::span<const tensor_id> inputs(operator_id op) const noexcept
    {
        const entry& e = operators_[index(op)];
        return std::span(inputs_).subspan(e.first_input, e.inputs);
    }
    [[nodiscard]] std::span<const output> outputs(operator_id op) const noexcept
    {
        const entry& e = operators_[index(op)];
        return std::span(outputs_).subspan(e.first_output, e.outputs);
    }
    /// Results of one operator are neighbours: the first, and those that follow it.
    [[nodiscard]] tensor_id first_output(operator_id op) const noexcept { return tensor_id{operators_[index(op)].first_output}; }

private:
    static constexpr std::int64_t largest_total = std::int64_t{1} << 62;

    struct entry {
        nanoseconds cost;
        std::uint32_t name;
        std::uint32_t first_input, inputs;
        std::uint32_t first_output, outputs;
    };

    static std::uint32_t narrow(std::size_t value)
    {
        if (value > UINT32_MAX) {
            throw invalid_program("tidepool: a program has more than 2^32 nodes");
        }
        return static_cast<std::uint32_t>(value);
    }

    /// Also where `values` lies in `to`, as when a call repeats the inputs of another.
    template <class T>
    static void append_copy(std::vector<T>& to, std::span<const T> values)
    {
        const std::vector<T> copy(values.begin(), values.end());
        to.insert(to.end(), copy.begin(), copy.end());
    }

    void require_tensor(tensor_id tensor) const
    {
        if (index(tensor) >= outputs_.size()) {
            throw invalid_program("tidepool: a tensor is used before the operator that makes it");
        }
    }

    void append(event_kind kind, tensor_id tensor)
    {
        require_tensor(tensor);
        events_.push_back({kind, static_cast<std::uint32_t>(tensor)});
    }

    std::uint32_t intern(std::string_view name)
    {
        const auto [place, added] = name_index_.try_emplace(std::string(name), narrow(names_.size()));
        if (added) {
            names_.push_back(place->first);
            kinds_.push_back(kind_of(name));
        }
        return place->second;
    }

    std::vector<entry> operators_;
    std::vector<tensor_id> inputs_;
    std::vector<output> outputs_;
    std::vector<event> events_;
    std::vector<std::string> names_;
    std::vector<operator_kind> kinds_;  ///< beside the names
    std::unordered_map<std::string, std::uint32_t> name_index_;
    byte_count total_bytes_ = 0;
    nanoseconds total_cost_ = 0;
};

}  // namespace tidepool
