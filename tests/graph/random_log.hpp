#pragma once

// Random instructions, as rapidcheck generators.

#include <tidepool/graph/log_instruction.hpp>

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

namespace testing_logs {

/// Mostly plain names; some that must be escaped, and some beyond ASCII.
inline rc::Gen<std::string> any_name()
{
    const auto symbol = rc::gen::weightedElement<std::string>({{20, "x"},
                                                               {20, "7"},
                                                               {5, "_"},
                                                               {1, "\""},
                                                               {1, "\\"},
                                                               {1, "\n"},
                                                               {1, std::string(1, '\0')},
                                                               {1, "\x7f"},
                                                               {1, "\xc3\xa9"},
                                                               {1, "\xf0\x9f\x8c\x8a"}});
    return rc::gen::map(rc::gen::container<std::vector<std::string>>(symbol), [](const std::vector<std::string>& symbols) {
        std::string name;
        for (const std::string& each : symbols) {
            name += each;
        }
        return name;
    });
}

inline rc::Gen<std::vector<std::string>> any_names() { return rc::gen::container<std::vector<std::string>>(any_name()); }

inline rc::Gen<std::int64_t> any_amount() { return rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 1000), rc::gen::just(INT64_MAX)); }

inline rc::Gen<tidepool::log_instruction> any_instruction()
{
    using namespace tidepool;
    const auto index = rc::gen::inRange<std::int32_t>(0, 10);
    return rc::gen::oneOf(
        rc::gen::construct<log_instruction>(rc::gen::construct<log_constant>(any_name())),
        rc::gen::construct<log_instruction>(rc::gen::construct<log_memory>(any_name(), any_amount())),
        rc::gen::construct<log_instruction>(rc::gen::construct<log_alias>(any_name(), rc::gen::inRange<std::int32_t>(-1, 10))),
        rc::gen::construct<log_instruction>(rc::gen::construct<log_call>(any_name(), any_names(), any_names(), any_amount())),
        rc::gen::construct<log_instruction>(
            rc::gen::construct<log_mutate>(any_name(), any_names(), rc::gen::container<std::vector<std::int32_t>>(index), any_amount())),
        rc::gen::construct<log_instruction>(rc::gen::construct<log_copy>(any_name(), any_name())),
        rc::gen::construct<log_instruction>(rc::gen::construct<log_copy_from>(any_name(), any_name())),
        rc::gen::construct<log_instruction>(rc::gen::construct<log_release>(any_name())),
        rc::gen::construct<log_instruction>(rc::gen::construct<log_pin>(any_name())),
        rc::gen::construct<log_instruction>(rc::gen::construct<log_annotate>(any_name())));
}

}  // namespace testing_logs
