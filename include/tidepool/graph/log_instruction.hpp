#pragma once

// The instructions of a log: what a real training step told the recorder, one line each.

#include "../core/units.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tidepool {

/// CONSTANT: a tensor that exists before the step (a parameter, a batch). A MEMORY follows.
struct log_constant {
    std::string name;

    friend bool operator==(const log_constant&, const log_constant&) = default;
};

/// MEMORY: the bytes of the storage behind `name`.
struct log_memory {
    std::string name;
    byte_count bytes = 0;

    friend bool operator==(const log_memory&, const log_memory&) = default;
};

/// ALIAS: whether a call's result is a view, and of which of the call's arguments.
struct log_alias {
    static constexpr std::int32_t none = -1;

    std::string name;
    std::int32_t argument = none;  ///< an index into the call's arguments

    friend bool operator==(const log_alias&, const log_alias&) = default;
};

/// CALL: an operator ran for `time` nanoseconds. One MEMORY and one ALIAS follow for each result.
struct log_call {
    std::string name;
    std::vector<std::string> arguments;
    std::vector<std::string> results;
    nanoseconds time = 0;

    friend bool operator==(const log_call&, const log_call&) = default;
};

/// MUTATE: an operator ran in place on some of its arguments, whose names mean the new values from here on.
struct log_mutate {
    std::string name;
    std::vector<std::string> arguments;
    std::vector<std::int32_t> mutated;  ///< indices into `arguments`
    nanoseconds time = 0;

    friend bool operator==(const log_mutate&, const log_mutate&) = default;
};

/// COPY: a new name for a tensor.
struct log_copy {
    std::string destination;
    std::string source;

    friend bool operator==(const log_copy&, const log_copy&) = default;
};

/// COPY_FROM: a name that exists is made to mean another tensor.
struct log_copy_from {
    std::string destination;
    std::string source;

    friend bool operator==(const log_copy_from&, const log_copy_from&) = default;
};

/// RELEASE: a name is let go.
struct log_release {
    std::string name;

    friend bool operator==(const log_release&, const log_release&) = default;
};

/// PIN: a tensor is to stay.
struct log_pin {
    std::string name;

    friend bool operator==(const log_pin&, const log_pin&) = default;
};

/// ANNOTATE: a mark in the log. "START" begins the measured step; "BACKWARD" its second half.
struct log_annotate {
    std::string annotation;

    friend bool operator==(const log_annotate&, const log_annotate&) = default;
};

using log_instruction =
    std::variant<log_constant, log_memory, log_alias, log_call, log_mutate, log_copy, log_copy_from, log_release, log_pin, log_annotate>;

/// The annotation that begins the measured step; what comes before it does not count.
inline constexpr const char* log_start = "START";

}  // namespace tidepool
