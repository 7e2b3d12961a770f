#pragma once

// What the decision core keeps about storages beyond their size: each kind a class, kept only where an expression needs it.

#include "../core/units.hpp"
#include "../graph/computation_graph.hpp"

#include <boost/hana/append.hpp>
#include <boost/hana/contains.hpp>
#include <boost/hana/fold_left.hpp>
#include <boost/hana/set.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/union.hpp>
#include <boost/hana/unpack.hpp>

#include <concepts>
#include <exception>
#include <span>
#include <tuple>
#include <type_traits>

namespace tidepool {

/// A set of kinds of metadata, as a type.
template <class... Kinds>
using needs_set = decltype(boost::hana::make_set(boost::hana::type_c<Kinds>...));

/// A kind of metadata: a class that is told what happens to storages and answers with a value for one of them.
///
/// Requires, for a kind `M` with an object `m`, the decision core's state `s` and a storage `id`:
///  - `M::needs`: a `needs_set` of other kinds that `M` reads through `s.metadata<Kind>()`; they are told first.
///  - `M::value_type`, and `m.value(s, id)` of that type: asked only for resident storages.
///  - any of these, none of which may change the state, and each told after it changed unless it says otherwise:
///    `operator_coming(s)`: before an operator is added.
///    `operator_added(s, operator_id)`: its results exist, none is resident. May throw `std::bad_alloc`; elsewhere that ends the program.
///    `accessed(s, id)`: read or written at `s.clock()`.
///    `computed(s, operator_id, span<const storage_id> filled, bool again)`: these became resident.
///    `evicting(s, id)`: before it is dropped. `evicted(s, id)`: dropped.
///    `forgetting(s, id)`: about to leave the graph, or pinned for good (before the change).
///    `banished(s, id)`: under `simrd`, dropped for good by name, though it may come back beside a sibling.
///
/// Arrays are indexed by `index(id)`, which stays below `s.graph().storages().bound()`; ids are used again.
template <class M>
concept metadata_kind = std::default_initializable<M> && requires {
    typename M::needs;
    typename M::value_type;
};

namespace detail {

/// Appends `kind` to a tuple of types, after all that it needs, unless it is there already.
template <class Kinds, class Kind>
constexpr auto append_with_needs(Kinds kinds, Kind kind)
{
    if constexpr (decltype(boost::hana::contains(kinds, kind))::value) {
        return kinds;
    } else {
        const auto needed = boost::hana::fold_left(typename Kind::type::needs{}, kinds, [](auto so_far, auto need) { return append_with_needs(so_far, need); });
        return boost::hana::append(needed, kind);
    }
}

/// A set and everything that its members need in turn, needed kinds first.
template <class Needs>
constexpr auto in_order(Needs needs)
{
    return boost::hana::fold_left(needs, boost::hana::tuple<>{}, [](auto so_far, auto kind) { return append_with_needs(so_far, kind); });
}

template <class Kind, class Semantics>
struct keeper {
    using type = Kind;
};
template <class Kind, class Semantics>
requires requires { typename Kind::template kept_by<Semantics>; }
struct keeper<Kind, Semantics> {
    using type = typename Kind::template kept_by<Semantics>;
};

template <class Kept, class Objects>
inline constexpr bool is_among = false;
template <class Kept, class... Objects>
inline constexpr bool is_among<Kept, std::tuple<Objects...>> = (std::is_same_v<Kept, Objects> || ...);

template <class Semantics>
struct as_objects {
    template <class... Kinds>
    constexpr auto operator()(Kinds...) const
    {
        return boost::hana::type<std::tuple<typename keeper<typename Kinds::type, Semantics>::type...>>{};
    }
};

}  // namespace detail

/// The class that keeps `Kind` under `Semantics`: itself, or `Kind::kept_by<Semantics>` where that is named.
template <metadata_kind Kind, class Semantics>
using metadata_keeper = typename detail::keeper<Kind, Semantics>::type;

/// The kinds in `Needs` and all that those need, as a tuple of their keepers, needed kinds first.
template <class Needs, class Semantics>
using metadata_objects = typename decltype(boost::hana::unpack(detail::in_order(Needs{}), detail::as_objects<Semantics>{}))::type;

/// A storage as terms see it: its size, its serial number, and the metadata that the term declared.
template <class State>
class storage_view {
public:
    constexpr storage_view(State& state, storage_id id) noexcept : state_(&state), id_(id) {}

    [[nodiscard]] storage_id id() const noexcept { return id_; }
    [[nodiscard]] byte_count bytes() const noexcept { return state_->graph()[id_].bytes; }
    /// Counts all tensors ever made; never used again, unlike `id()`.
    [[nodiscard]] std::uint64_t serial() const noexcept { return state_->graph()[id_].serial; }
    /// What the operator that makes it is; none for what cannot be made again.
    [[nodiscard]] operator_kind kind() const noexcept
    {
        const operator_id maker = state_->graph().maker_of(id_);
        return maker == no_operator ? operator_kind{} : state_->graph()[maker].kind;
    }
    /// The run's seed, for terms that draw numbers.
    [[nodiscard]] std::uint64_t seed() const noexcept { return state_->seed(); }

    template <metadata_kind Kind>
    [[nodiscard]] decltype(auto) get() const
    {
        static_assert(State::template keeps<Kind>, "a term asks for metadata that is not kept: declare it in the term's `needs`");
        return state_->template metadata<Kind>().value(*state_, id_);
    }

private:
    State* state_;
    storage_id id_;
};

namespace examples {

/// A storage of which only the metadata in `Needs` may be asked; what the concept `term` is checked with. Nothing here is ever
/// called; it is defined because a kind of metadata of internal linkage would else draw a warning.
template <class Needs>
struct any_storage {
    [[nodiscard]] storage_id id() const noexcept { return {}; }
    [[nodiscard]] byte_count bytes() const noexcept { return {}; }
    [[nodiscard]] std::uint64_t serial() const noexcept { return {}; }
    [[nodiscard]] operator_kind kind() const noexcept { return {}; }
    [[nodiscard]] std::uint64_t seed() const noexcept { return {}; }

    template <metadata_kind Kind>
    requires(decltype(boost::hana::contains(Needs{}, boost::hana::type_c<Kind>))::value)
    [[nodiscard]] typename Kind::value_type get() const
    {
        std::terminate();
    }
};

}  // namespace examples
}  // namespace tidepool
