#pragma once

// The live graph: which operator makes which tensor, and which tensors are views of one storage.

#include "../core/compact_vector.hpp"
#include "../core/units.hpp"
#include "ids.hpp"
#include "operator_kind.hpp"
#include "program.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tidepool {

/// Nodes under dense ids; ids of destroyed nodes are handed out again, the latest first.
template <class Id, class Node>
class node_table {
public:
    Id create()
    {
        if (!free_.empty()) {
            const Id id = free_.back();
            free_.pop_back();
            return id;
        }
        nodes_.emplace_back();
        free_.reserve(nodes_.capacity());  // so that destroying never allocates
        return Id{static_cast<std::uint32_t>(nodes_.size() - 1)};
    }
    void destroy(Id id) noexcept
    {
        nodes_[index(id)].recycle();
        free_.push_back(id);
    }

    [[nodiscard]] Node& operator[](Id id) noexcept { return nodes_[index(id)]; }
    [[nodiscard]] const Node& operator[](Id id) const noexcept { return nodes_[index(id)]; }

    /// One more than the largest id in use so far: the length of an array that is indexed by id.
    [[nodiscard]] std::size_t bound() const noexcept { return nodes_.size(); }
    [[nodiscard]] std::size_t live() const noexcept { return nodes_.size() - free_.size(); }

private:
    std::vector<Node> nodes_;
    std::vector<Id> free_;
};

/// In place of a tensor that no longer exists, or of the operator of a tensor that nothing can make again.
inline constexpr tensor_id no_tensor{UINT32_MAX};
inline constexpr operator_id no_operator{UINT32_MAX};

struct operator_node {
    operator_kind kind{};
    nanoseconds cost = 0;  ///< of one run
    byte_count bytes = 0;  ///< of all results together, while it runs
    compact_vector<tensor_id> inputs;
    compact_vector<tensor_id> outputs;  ///< `no_tensor` where one was forgotten
    std::uint32_t live_outputs = 0;     ///< those that keep this operator
    bool makes_storage = false;         ///< false if every result is a view

    void recycle() noexcept
    {
        inputs.clear();
        outputs.clear();
    }
};

struct tensor_node {
    operator_id producer = no_operator;
    storage_id storage{};
    std::uint32_t references = 0;            ///< handles that the program holds
    std::uint32_t uses = 0;                  ///< how often operators that make a storage take it
    compact_vector<operator_id> consumers;   ///< those operators, where deallocation wants to know them

    void recycle() noexcept
    {
        producer = no_operator;
        references = uses = 0;
        consumers.clear();
    }
};

struct storage_node {
    byte_count bytes = 0;
    std::uint64_t serial = 0;          ///< number of its first tensor, counted over all tensors ever made
    std::uint32_t references = 0;      ///< of all its tensors
    std::uint32_t uses = 0;            ///< of all its tensors
    compact_vector<tensor_id> views;   ///< in order of creation; the first is what its operator made

    void recycle() noexcept
    {
        references = uses = 0;
        views.clear();
    }
};

/// Operators, tensors and storages, with the edges between them. Knows nothing of what is resident.
///
/// A storage is needed as long as the program refers to it or an operator that could run again takes it; an operator, as long
/// as one of its results exists. `forget` removes what is not needed, and all that was kept by it alone.
///
/// Thread safety: none. Complexity: adding an operator is linear in its inputs and results, forgetting in what is forgotten.
class computation_graph {
public:
    /// Adds an operator, its tensors with no references yet, and a storage for each result that is not a view.
    /// `keep_consumers` also lists the operator with its inputs.
    operator_id add(operator_description what, std::span<const tensor_id> inputs, std::span<const output> results, bool keep_consumers)
    {
        const operator_id id = operators_.create();
        operator_node& op = operators_[id];
        op.kind = what.kind;
        op.cost = what.cost;
        op.bytes = 0;
        op.makes_storage = std::any_of(results.begin(), results.end(), [](const output& o) { return !o.is_view(); });
        op.live_outputs = 0;
        op.inputs.assign(inputs);
        for (const output& result : results) {
            const tensor_id tensor = tensors_.create();
            tensor_node& node = tensors_[tensor];
            node.producer = id;
            if (result.is_view()) {
                node.storage = storage_of(inputs[static_cast<std::size_t>(result.alias)]);
            } else {
                node.storage = storages_.create();
                storages_[node.storage].bytes = result.bytes;
                storages_[node.storage].serial = tensors_made_;
                op.bytes += result.bytes;
            }
            storages_[node.storage].views.push_back(tensor);
            op.outputs.push_back(tensor);
            op.live_outputs += keeps(op, result.is_view()) ? 1U : 0U;
            ++tensors_made_;
        }
        for (const tensor_id input : inputs) {
            if (op.makes_storage) {
                ++tensors_[input].uses;
                ++storages_[storage_of(input)].uses;
            }
            if (keep_consumers) {
                tensors_[input].consumers.push_back(id);
            }
        }
        return id;
    }

    void retain(tensor_id id) noexcept
    {
        ++tensors_[id].references;
        ++storages_[storage_of(id)].references;
    }
    void release(tensor_id id) noexcept
    {
        assert(tensors_[id].references > 0);
        --tensors_[id].references;
        --storages_[storage_of(id)].references;
    }

    [[nodiscard]] operator_node& operator[](operator_id id) noexcept { return operators_[id]; }
    [[nodiscard]] const operator_node& operator[](operator_id id) const noexcept { return operators_[id]; }
    [[nodiscard]] tensor_node& operator[](tensor_id id) noexcept { return tensors_[id]; }
    [[nodiscard]] const tensor_node& operator[](tensor_id id) const noexcept { return tensors_[id]; }
    [[nodiscard]] storage_node& operator[](storage_id id) noexcept { return storages_[id]; }
    [[nodiscard]] const storage_node& operator[](storage_id id) const noexcept { return storages_[id]; }

    [[nodiscard]] storage_id storage_of(tensor_id id) const noexcept { return tensors_[id].storage; }
    [[nodiscard]] operator_id producer_of(tensor_id id) const noexcept { return tensors_[id].producer; }
    /// A tensor that is not what its storage was made as, but another look at it.
    [[nodiscard]] bool is_view(tensor_id id) const noexcept { return storages_[storage_of(id)].views.front() != id; }
    /// The operator that fills a storage; `no_operator` for what cannot be made again.
    [[nodiscard]] operator_id maker_of(storage_id id) const noexcept { return tensors_[storages_[id].views.front()].producer; }

    [[nodiscard]] const node_table<operator_id, operator_node>& operators() const noexcept { return operators_; }
    [[nodiscard]] const node_table<tensor_id, tensor_node>& tensors() const noexcept { return tensors_; }
    [[nodiscard]] const node_table<storage_id, storage_node>& storages() const noexcept { return storages_; }

    /// Whether neither the program nor an operator that could run again needs the storage.
    [[nodiscard]] bool is_needed(storage_id id) const noexcept { return storages_[id].references > 0 || storages_[id].uses > 0; }

    /// Removes a view that nobody refers to or takes; what its storage was made as stays with the storage. False if it is needed.
    bool forget_view(tensor_id id) noexcept
    {
        const tensor_node& node = tensors_[id];
        if (node.references > 0 || node.uses > 0 || !is_view(id)) {
            return false;
        }
        storages_[node.storage].views.remove_first(id);
        forget_tensor(id, true, [](storage_id) {});
        return true;
    }

    /// Removes a storage with its tensors. `unneeded(storage)` is told of each other storage that was kept by it alone.
    template <class Unneeded>
    void forget(storage_id id, Unneeded&& unneeded) noexcept
    {
        const tensor_id made = storages_[id].views.front();
        for (const tensor_id tensor : storages_[id].views) {
            forget_tensor(tensor, tensor != made, unneeded);
        }
        storages_.destroy(id);
    }

    /// The storage can no longer be made again, as nobody will have to: its operator is forgotten if no other result needs it.
    template <class Unneeded>
    void forget_maker(storage_id id, Unneeded&& unneeded) noexcept
    {
        tensor_node& made = tensors_[storages_[id].views.front()];
        const operator_id op = std::exchange(made.producer, no_operator);
        if (op != no_operator) {
            drop_output(op, storages_[id].views.front(), false, unneeded);
        }
    }

private:
    /// A view keeps an operator only if that makes nothing else: one that runs again does so for its storages.
    static bool keeps(const operator_node& op, bool view) noexcept { return !view || !op.makes_storage; }

    template <class Unneeded>
    void forget_tensor(tensor_id id, bool view, Unneeded&& unneeded) noexcept
    {
        const operator_id op = tensors_[id].producer;
        tensors_.destroy(id);
        if (op != no_operator) {
            drop_output(op, id, view, unneeded);
        }
    }

    template <class Unneeded>
    void drop_output(operator_id id, tensor_id result, bool view, Unneeded&& unneeded) noexcept
    {
        operator_node& op = operators_[id];
        *std::find(op.outputs.begin(), op.outputs.end(), result) = no_tensor;
        if (!keeps(op, view) || --op.live_outputs > 0) {
            return;
        }
        for (const tensor_id rest : op.outputs) {
            if (rest != no_tensor) {
                tensors_[rest].producer = no_operator;
            }
        }
        for (const tensor_id input : op.inputs) {
            tensors_[input].consumers.remove_first(id);
            if (!op.makes_storage) {
                continue;
            }
            const storage_id storage = storage_of(input);
            const bool last_use = --tensors_[input].uses == 0;
            if (--storages_[storage].uses == 0 && storages_[storage].references == 0) {
                unneeded(storage);
            } else if (last_use) {
                forget_view(input);  // no deeper: what only made a view uses nothing
            }
        }
        operators_.destroy(id);
    }

    node_table<operator_id, operator_node> operators_;
    node_table<tensor_id, tensor_node> tensors_;
    node_table<storage_id, storage_node> storages_;
    std::uint64_t tensors_made_ = 0;
};

}  // namespace tidepool
