#pragma once

// What is true of a resource's bytes, as types.

#include <type_traits>

namespace tidepool {

struct host_accessible {};    ///< the CPU may read and write the bytes
struct device_accessible {};  ///< a kernel may read and write them
struct page_locked {};        ///< the operating system does not move them: devices copy from and to them on their own
struct file_backed {};        ///< they lie in a file
struct thread_safe {};        ///< the resource itself may be called from several threads at once

/// A set of properties. A resource says what it has as `using properties = property_list<host_accessible, …>`.
template <class... Properties>
struct property_list {
    template <class Property>
    static constexpr bool contains = (std::is_same_v<Property, Properties> || ...);
};

namespace detail {

template <class R>
struct properties_of {
    using type = property_list<>;
};
template <class R>
requires requires { typename R::properties; }
struct properties_of<R> {
    using type = typename R::properties;
};

template <class Property, class Kept, class List>
struct without;
template <class Property, class... Kept>
struct without<Property, property_list<Kept...>, property_list<>> {
    using type = property_list<Kept...>;
};
template <class Property, class... Kept, class First, class... Rest>
struct without<Property, property_list<Kept...>, property_list<First, Rest...>>
    : without<Property, std::conditional_t<std::is_same_v<Property, First>, property_list<Kept...>, property_list<Kept..., First>>,
              property_list<Rest...>> {
};

template <class Property, class List>
struct with;
template <class Property, class... Others>
struct with<Property, property_list<Others...>> {
    using type = std::conditional_t<property_list<Others...>::template contains<Property>, property_list<Others...>,
                                    property_list<Others..., Property>>;
};

template <class Kept, class First, class Second>
struct common;
template <class... Kept, class Second>
struct common<property_list<Kept...>, property_list<>, Second> {
    using type = property_list<Kept...>;
};
template <class... Kept, class First, class... Rest, class Second>
struct common<property_list<Kept...>, property_list<First, Rest...>, Second>
    : common<std::conditional_t<Second::template contains<First>, property_list<Kept..., First>, property_list<Kept...>>,
             property_list<Rest...>, Second> {
};

}  // namespace detail

/// What a resource says of itself; the empty list where it says nothing.
template <class R>
using properties_of = typename detail::properties_of<R>::type;

template <class R, class Property>
concept has_property = properties_of<R>::template contains<Property>;

template <class List, class Property>
using with_property = typename detail::with<Property, List>::type;
template <class List, class Property>
using without_property = typename detail::without<Property, property_list<>, List>::type;

/// What is true of either of two.
template <class First, class Second>
using common_properties = typename detail::common<property_list<>, First, Second>::type;

namespace examples {

struct pinned {
    using properties = property_list<host_accessible, device_accessible, page_locked>;
};
static_assert(has_property<pinned, page_locked> && has_property<pinned, host_accessible>);
static_assert(!has_property<pinned, file_backed>);
static_assert(!has_property<int, host_accessible>, "what says nothing has nothing");
static_assert(std::is_same_v<without_property<pinned::properties, device_accessible>, property_list<host_accessible, page_locked>>);
static_assert(std::is_same_v<common_properties<pinned::properties, property_list<page_locked, file_backed>>, property_list<page_locked>>);

}  // namespace examples
}  // namespace tidepool
