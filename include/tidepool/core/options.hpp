#pragma once

// Template arguments in any order, each at most once, with a default where one is missing.

#include <boost/hana/bool.hpp>
#include <boost/hana/find_if.hpp>
#include <boost/hana/optional.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <type_traits>

namespace tidepool {

namespace detail {

template <class Option, class Category>
inline constexpr bool is_in_category = std::is_same_v<typename Option::category, Category>;

template <class Category, class... Options>
inline constexpr int times_given = (0 + ... + (is_in_category<Options, Category> ? 1 : 0));

template <class Category, class Default, class... Options>
constexpr auto find_option()
{
    // The default stands last, so that there always is one.
    constexpr auto found = boost::hana::find_if(boost::hana::tuple_t<Options..., Default>, [](auto option) {
        return boost::hana::bool_c<is_in_category<typename decltype(option)::type, Category>>;
    });
    return found.value();
}

}  // namespace detail

/// A type with a nested `category`: what the option is about.
template <class O>
concept policy_option = requires { typename O::category; };

/// The option of `Category` among `Options`, or `Default`.
template <class Category, policy_option Default, policy_option... Options>
using option_or = typename decltype(detail::find_option<Category, Default, Options...>())::type;

/// Whether every option's category is one of `Categories`.
template <class... Categories>
struct categories {
    template <policy_option Option>
    static constexpr bool know = (detail::is_in_category<Option, Categories> || ...);
    template <policy_option... Options>
    static constexpr bool each_at_most_once = ((detail::times_given<Categories, Options...> <= 1) && ...);
};

}  // namespace tidepool
