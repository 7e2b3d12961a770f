#pragma once

// The laws of `term`, for the library's and for a user's: `testing_laws::expect_term_laws<my_term{}>();`

#include <tidepool/policy/expression.hpp>

#include <boost/hana/contains.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/type.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <type_traits>

namespace testing_laws {

/// A storage that knows nothing, and writes down which metadata it is asked for.
template <class Needs>
class curious_storage {
public:
    [[nodiscard]] tidepool::storage_id id() const noexcept { return tidepool::storage_id{3}; }
    [[nodiscard]] tidepool::byte_count bytes() const noexcept { return 48; }
    [[nodiscard]] std::uint64_t serial() const noexcept { return 5; }
    [[nodiscard]] tidepool::operator_kind kind() const noexcept { return {}; }
    [[nodiscard]] std::uint64_t seed() const noexcept { return 7; }

    template <tidepool::metadata_kind Kind>
    requires(decltype(boost::hana::contains(Needs{}, boost::hana::type_c<Kind>))::value) [[nodiscard]] typename Kind::value_type get() const
    {
        static constexpr char place_of_kind = 0;
        asked_.insert(&place_of_kind);
        return {};
    }

    /// Distinct kinds so far.
    [[nodiscard]] std::size_t asked() const noexcept { return asked_.size(); }

private:
    mutable std::set<const char*> asked_;
};

template <auto Value>
struct as_argument {
    static constexpr auto value = Value;
};

/// Asks for all that it declares and for nothing else; gives the same at every question; has a name; is a template argument.
template <auto Term>
requires tidepool::term<std::remove_const_t<decltype(Term)>>
void expect_term_laws()
{
    using type = std::remove_const_t<decltype(Term)>;
    SCOPED_TRACE(tidepool::formula(Term));
    static_assert(std::is_same_v<as_argument<Term>, as_argument<as_argument<Term>::value>>, "equal terms are one argument");
    static_assert(std::is_trivially_copyable_v<type>, "a term carries numbers, not resources");
    const curious_storage<typename type::needs> storage;
    tidepool::decision_clock clock;
    clock.advance(100);
    const auto first = Term.value(storage, clock);
    const auto second = Term.value(storage, clock);
    EXPECT_TRUE(first == second) << "the same question, another answer";
    EXPECT_EQ(storage.asked(), decltype(boost::hana::length(typename type::needs{}))::value)
        << "what is declared and never asked for is kept for nothing";
    EXPECT_FALSE(std::string(type::name).empty());
}

}  // namespace testing_laws
