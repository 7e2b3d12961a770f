#pragma once

// The decision core: what should happen, whoever carries it out.

#include "../core/options.hpp"
#include "../policy/deallocation.hpp"
#include "../policy/heuristics.hpp"
#include "../policy/search.hpp"
#include "../policy/semantics.hpp"
#include "executor.hpp"
#include "ledger.hpp"
#include "outcome.hpp"
#include "restore_as_planned.hpp"
#include "restore_as_simrd.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace tidepool {

namespace category {
struct heuristic {};
struct search {};
struct deallocation {};
struct semantics {};
}  // namespace category

/// Option: the storage with the least value of this expression is evicted. Default: `h_dtr_eq`.
template <auto Heuristic>
requires term<std::remove_const_t<decltype(Heuristic)>>
struct evict_by {
    using category = category::heuristic;
    static constexpr auto value = Heuristic;
};

/// Option: how the least is found. Default: `exhaustive`.
template <search_pool Pool>
struct search_by {
    using category = category::search;
    using type = Pool;
};

/// Option: what the last release of a storage does. Default: `eager_eviction`.
template <tidepool::deallocation Deallocation>
struct deallocate_by {
    using category = category::deallocation;
    using type = Deallocation;
};

/// Option: what a decision means, `semantics<simrd>` or `semantics<tidepool>`. Default: `tidepool`.
template <auto Semantics>
requires decision_semantics<std::remove_const_t<decltype(Semantics)>>
struct semantics {
    using category = category::semantics;
    using type = std::remove_const_t<decltype(Semantics)>;
};

namespace decision {

/// Bounds within which the core decides.
struct limits {
    byte_count budget = std::numeric_limits<byte_count>::max();
    nanoseconds remat_compute = std::numeric_limits<nanoseconds>::max();  ///< a request that passes it ends with `over_limit`
    std::uint64_t seed = 0;                                               ///< for terms that draw numbers
};

/// The decision core under fixed options; users name it as `decision_core<Options…>`.
///
/// Requests name tensors; decisions go to an executor, in order. Nothing here knows bytes, pointers or whether anybody
/// carries anything out: a simulation and a run are the same type and take the same decisions.
///
/// Errors: outcomes; after one that is not `done` the core is usable, nothing is locked that was not before, and every tensor
/// can be asked for again, though what is resident may differ. Where the books themselves cannot grow, `std::bad_alloc` leaves
/// a request, or ends the program from within a decision; such a core can only be destroyed.
/// Thread safety: none. Complexity: a request that evicts nothing is linear in its inputs and results.
template <class Heuristic, class Search, class Deallocation, class Semantics>
class core {
public:
    using ledger_type = ledger<Heuristic::value, typename Semantics::type, typename Search::type>;
    using deallocation_type = typename Deallocation::type;
    static constexpr auto heuristic = Heuristic::value;
    static constexpr bool forgets = Semantics::type::forgets;

    explicit core(limits bounds = {}, deallocation_type deallocation = {})
        : deallocation_(deallocation),
          limit_(bounds.remat_compute),
          books_(bounds.budget, bounds.seed),
          restore_(books_, deallocation.on_last_release() == release_action::banish)
    {
    }
    core(const core&) = delete;
    core& operator=(const core&) = delete;

    /// Runs an operator on `inputs`, brought back where missing. Its results, each with one reference, are in the graph.
    /// `results` follow the rules of `program::call`; each input must still be referenced.
    template <executor Executor>
    call_result call(operator_description what, std::span<const tensor_id> inputs, std::span<const output> results, Executor& carry_out)
    {
        return restore_.call(what, inputs, results, limit_, carry_out);
    }

    /// One more reference to a tensor.
    void retain(tensor_id tensor) noexcept { books_.graph().retain(tensor); }

    /// One reference fewer. After the last, the tensor may be used no more.
    template <executor Executor>
    void release(tensor_id tensor, Executor& carry_out)
    {
        const release_action action = deallocation_.on_last_release();
        if (!drops_released()) {
            return;
        }
        computation_graph& graph = books_.graph();
        graph.release(tensor);
        const storage_id storage = graph.storage_of(tensor);
        if (graph[storage].references == 0) {
            restore_.last_release(tensor, action, carry_out);
        } else if (Semantics::type::forgets) {
            graph.forget_view(tensor);
        }
    }

    /// Makes a tensor resident. Counts as an access, but not under `simrd`.
    template <executor Executor>
    [[nodiscard]] outcome read(tensor_id tensor, Executor& carry_out)
    {
        return restore_.read(tensor, limit_, carry_out);
    }

    /// Makes a tensor resident and never evicts it again, unless it is released and nothing needs it.
    template <executor Executor>
    [[nodiscard]] outcome pin(tensor_id tensor, Executor& carry_out)
    {
        return restore_.pin(tensor, limit_, carry_out);
    }

    /// Drops a tensor's storage. False, and nothing happens, if it is not resident, locked or pinned.
    template <executor Executor>
    bool evict(tensor_id tensor, Executor& carry_out)
    {
        const storage_id storage = books_.graph().storage_of(tensor);
        if (!books_.is_resident(storage) || books_.is_locked(storage)) {
            return false;
        }
        restore_.evict(storage, eviction_reason::requested, carry_out);
        return true;
    }

    /// Changes the budget, evicting until what is resident fits. `out_of_budget` if it cannot: the old budget then stays.
    template <executor Executor>
    [[nodiscard]] outcome set_budget(byte_count budget, Executor& carry_out)
    {
        if (books_.locked() > budget) {
            return outcome::out_of_budget;
        }
        books_.set_budget(budget);
        while (!books_.fits(0)) {
            restore_.evict(*books_.victim(), eviction_reason::pressure, carry_out);  // there is one: what is locked fits
        }
        return outcome::done;
    }

    /// Whether a release counts.
    [[nodiscard]] bool drops_released() const noexcept { return deallocation_.on_last_release() != release_action::ignore; }

    [[nodiscard]] const computation_graph& graph() const noexcept { return books_.graph(); }
    [[nodiscard]] const decision_clock& clock() const noexcept { return books_.clock(); }
    [[nodiscard]] const decision::counters& counters() const noexcept { return books_.counters(); }
    [[nodiscard]] const ledger_type& books() const noexcept { return books_; }
    [[nodiscard]] bool is_resident(tensor_id tensor) const noexcept { return books_.is_resident(graph().storage_of(tensor)); }

private:
    using restore_type = std::conditional_t<Semantics::type::forgets, restore_as_planned<ledger_type>, restore_as_simrd<ledger_type>>;

    [[no_unique_address]] deallocation_type deallocation_;
    nanoseconds limit_;
    ledger_type books_;
    restore_type restore_;
};

template <policy_option... Options>
struct core_of {
    using known = categories<category::heuristic, category::search, category::deallocation, category::semantics>;
    static_assert((known::template know<Options> && ...), "decision_core: an option that a decision core does not take");
    static_assert(known::template each_at_most_once<Options...>, "decision_core: an option is given twice");

    using type = core<option_or<category::heuristic, evict_by<h_dtr_eq>, Options...>, option_or<category::search, search_by<exhaustive>, Options...>,
                      option_or<category::deallocation, deallocate_by<eager_eviction>, Options...>,
                      option_or<category::semantics, semantics<tidepool>, Options...>>;
};

}  // namespace decision

/// The decision core for these options, given in any order: `decision_core<evict_by<h_lru>, semantics<simrd>>`.
template <policy_option... Options>
using decision_core = typename decision::core_of<Options...>::type;

}  // namespace tidepool
