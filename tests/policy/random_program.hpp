#pragma once

// Random programs: graphs with several results, views, dead values, repeated inputs, nothing of any size.

#include <tidepool/graph/program.hpp>

#include <rapidcheck.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace testing_programs {

/// Any list of numbers is a program; a shorter list is a smaller program, so that failures shrink.
using choices = std::vector<std::uint64_t>;

inline rc::Gen<choices> any_choices(int most)
{
    return rc::gen::resize(most, rc::gen::container<choices>(rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>()))));
}

/// What a program may contain.
struct features {
    bool views = true;
    bool views_of_several = true;  ///< views whose operator has inputs in other storages
    bool pins = true;
    unsigned releases = 30;  ///< of a hundred events
};

/// The program as text, for a failure to read.
inline std::string describe(const tidepool::program& program)
{
    std::ostringstream text;
    for (const tidepool::program::event& event : program.events()) {
        if (event.kind != tidepool::event_kind::compute) {
            constexpr const char* names[]{"", "get", "release", "pin"};
            text << names[static_cast<std::size_t>(event.kind)] << " t" << event.target << "\n";
            continue;
        }
        const tidepool::operator_id op = event.as_operator();
        auto tensor = static_cast<std::uint32_t>(program.first_output(op));
        for (const tidepool::output& result : program.outputs(op)) {
            text << 't' << tensor++
                 << (result.is_view() ? " views " + std::to_string(result.alias) : '[' + std::to_string(result.bytes) + ']') << ' ';
        }
        text << "= (";
        for (const tidepool::tensor_id input : program.inputs(op)) {
            text << " t" << static_cast<std::uint32_t>(input);
        }
        text << " ) cost " << program.cost(op) << "\n";
    }
    return text.str();
}

/// Builds the program that `how` describes. At its end, everything that is still referenced stays so.
class program_builder {
public:
    explicit program_builder(features may) : may_(may) {}

    tidepool::program build(const choices& how)
    {
        for (const std::uint64_t choice : how) {
            bits_ = choice;
            event();
        }
        return std::move(program_);
    }

    /// Every reference that the program still holds, in order; a tensor appears as often as it is held.
    [[nodiscard]] const std::vector<tidepool::tensor_id>& held() const noexcept { return held_; }

private:
    /// The next small number drawn from the choice in hand.
    std::uint32_t draw(std::uint32_t below) noexcept
    {
        bits_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = bits_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return static_cast<std::uint32_t>((z ^ (z >> 31U)) % below);
    }

    /// Recent ones more often: graphs are deep as well as wide.
    std::size_t draw_held() noexcept
    {
        const auto count = static_cast<std::uint32_t>(held_.size());
        return draw(3) == 0 ? draw(count) : count - 1 - draw(count < 4 ? count : 4);
    }

    void event()
    {
        const std::uint32_t kind = draw(100);
        if (held_.empty() || kind < 90 - may_.releases) {
            call();
        } else if (kind < 90) {
            const std::size_t place = draw_held();
            program_.release(held_[place]);
            held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(place));
        } else if (kind < 97 || !may_.pins) {
            held_.push_back(held_[draw_held()]);
            program_.get(held_.back());
        } else {
            program_.pin(held_[draw_held()]);
        }
    }

    void call()
    {
        std::vector<tidepool::tensor_id> inputs;
        if (!held_.empty() && draw(12) != 0) {
            for (std::uint32_t left = 1 + draw(3); left > 0; --left) {
                inputs.push_back(held_[draw_held()]);
            }
        }
        std::vector<tidepool::output> results;
        const std::uint32_t count = draw(4) == 0 ? 2 + draw(2) : 1;
        for (std::uint32_t i = 0; i < count; ++i) {
            const bool view = may_.views && !inputs.empty() && (may_.views_of_several || inputs.size() == 1) && draw(6) == 0;
            results.push_back(view ? tidepool::output{0, static_cast<std::int32_t>(draw(static_cast<std::uint32_t>(inputs.size())))}
                                   : tidepool::output{draw(10) == 0 ? 0 : 1 + draw(64)});
        }
        const tidepool::nanoseconds cost = draw(10) == 0 ? 0 : 1 + draw(30);
        const tidepool::tensor_id first = program_.call("f", cost, inputs, results);
        for (std::uint32_t i = 0; i < count; ++i) {
            held_.push_back(tidepool::tensor_id{static_cast<std::uint32_t>(first) + i});
        }
    }

    features may_;
    tidepool::program program_;
    std::vector<tidepool::tensor_id> held_;
    std::uint64_t bits_ = 0;
};

}  // namespace testing_programs
