#pragma once

// The language of eviction heuristics: an expression over terms, evaluated for one storage at one time.

#include "../core/decision_clock.hpp"
#include "../core/quotient.hpp"
#include "metadata.hpp"

#include <boost/hana/contains.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tidepool {

/// What a term's value may be: integers stay exact through a product of two and a quotient of such, doubles do not.
template <class V>
concept score_value = std::same_as<V, std::int64_t> || std::same_as<V, wide_integer> || std::same_as<V, double>;

/// One factor of a heuristic: a value for a storage at a time, and the metadata behind it. Users write their own.
///
/// Requires, for a constant `t`:
///  - `T::needs`: a `needs_set` of the metadata that `value` asks for, and of no more than it asks for.
///  - `T::name`: a text for people.
///  - `t.value(storage, clock)`: an exact `std::int64_t` where it can, a `double` where it must. It asks `storage` for
///    `bytes()`, `serial()`, `kind()`, `seed()` and `get<Kind>()`, and `clock` for `now()`.
///  - `T` is an empty or structural type, so that an expression is a template argument.
///
/// Models: everything in `tidepool::terms`, every expression over models.
template <class T>
concept term = requires(const T& t, const examples::any_storage<typename T::needs>& storage, const decision_clock& clock) {
    typename T::needs;
    { T::name } -> std::convertible_to<std::string_view>;
    { t.value(storage, clock) } -> score_value;
};

namespace detail {

[[nodiscard]] inline double to_double(std::int64_t value) noexcept { return static_cast<double>(value); }
[[nodiscard]] inline double to_double(wide_integer value) noexcept { return static_cast<double>(value); }
[[nodiscard]] inline double to_double(double value) noexcept { return value; }

}  // namespace detail

struct times {
    static constexpr std::string_view name = " * ";
    static constexpr wide_integer apply(std::int64_t left, std::int64_t right) noexcept { return wide_integer{left} * right; }
    template <class L, class R>
    static double apply(L left, R right) noexcept
    {
        return detail::to_double(left) * detail::to_double(right);
    }
};

/// Infinite where the denominator is not positive: such a storage goes last.
struct over {
    static constexpr std::string_view name = " / ";
    template <class L, class R>
    static double apply(L left, R right) noexcept
    {
        if constexpr (std::same_as<L, double> || std::same_as<R, double>) {
            const double denominator = detail::to_double(right);
            return denominator > 0 ? detail::to_double(left) / denominator : std::numeric_limits<double>::infinity();
        } else {
            return quotient_of(left, right);
        }
    }
};

struct plus {
    static constexpr std::string_view name = " + ";
    static constexpr std::int64_t apply(std::int64_t left, std::int64_t right) noexcept { return left + right; }
    template <class L, class R>
    static double apply(L left, R right) noexcept
    {
        return detail::to_double(left) + detail::to_double(right);
    }
};

/// A number in an expression.
template <class V>
struct constant_term {
    using needs = needs_set<>;
    static constexpr std::string_view name = "constant";
    V number;

    template <class Storage>
    constexpr V value(const Storage&, const decision_clock&) const noexcept
    {
        return number;
    }
};

/// Two expressions and what joins them. An expression is a term.
template <class Operation, term Left, term Right>
struct binary_term {
    using needs = decltype(boost::hana::union_(typename Left::needs{}, typename Right::needs{}));
    static constexpr std::string_view name = Operation::name;
    Left left;
    Right right;

    template <class Storage>
    auto value(const Storage& storage, const decision_clock& clock) const
    {
        return Operation::apply(left.value(storage, clock), right.value(storage, clock));
    }
};

namespace detail {

template <class N>
concept number = std::integral<N> || std::floating_point<N>;

template <number N>
constexpr auto as_term(N value) noexcept
{
    if constexpr (std::integral<N>) {
        return constant_term<std::int64_t>{value};
    } else {
        return constant_term<double>{value};
    }
}
template <term T>
constexpr T as_term(T value) noexcept
{
    return value;
}

template <class L, class R>
concept operands = (term<L> && (term<R> || number<R>)) || (number<L> && term<R>);

template <class Operation, class L, class R>
constexpr auto join(L left, R right) noexcept
{
    return binary_term<Operation, decltype(as_term(left)), decltype(as_term(right))>{as_term(left), as_term(right)};
}

}  // namespace detail

template <class L, class R>
requires detail::operands<L, R>
constexpr auto operator*(L left, R right) noexcept { return detail::join<times>(left, right); }

template <class L, class R>
requires detail::operands<L, R>
constexpr auto operator/(L left, R right) noexcept { return detail::join<over>(left, right); }

template <class L, class R>
requires detail::operands<L, R>
constexpr auto operator+(L left, R right) noexcept { return detail::join<plus>(left, right); }

/// The formula as text, fully bracketed where it is not a single term.
template <term T>
[[nodiscard]] std::string formula(const T&) { return std::string(T::name); }
template <class V>
[[nodiscard]] std::string formula(const constant_term<V>& constant) { return std::to_string(constant.number); }
template <class Operation, term Left, term Right>
[[nodiscard]] std::string formula(const binary_term<Operation, Left, Right>& expression)
{
    return "(" + formula(expression.left) + std::string(Operation::name) + formula(expression.right) + ")";
}

}  // namespace tidepool
