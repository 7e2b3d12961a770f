#pragma once

// The error of everything that reads, writes or lowers a log.

#include "../core/error.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tidepool {

/// A log that cannot be used: where, what was found there, and what was expected.
///
/// `what()` is one line, `file:line: found …, expected …`, without the line number where the whole file is meant (line 0).
/// It is made with the error, so that `what()` never allocates and copies never throw.
class log_error : public error {
public:
    log_error(std::string file, std::size_t line, std::string found, std::string expected)
        : log_error(std::make_shared<const contents>(std::move(file), line, std::move(found), std::move(expected)))
    {
    }

    [[nodiscard]] const std::string& file() const noexcept { return contents_->file; }
    [[nodiscard]] std::size_t line() const noexcept { return contents_->line; }  ///< from 1; 0 for the whole file
    [[nodiscard]] const std::string& found() const noexcept { return contents_->found; }
    [[nodiscard]] const std::string& expected() const noexcept { return contents_->expected; }

private:
    struct contents {
        contents(std::string in, std::size_t at, std::string saw, std::string wanted)
            : file(std::move(in)),
              line(at),
              found(std::move(saw)),
              expected(std::move(wanted)),
              text(file + ":" + (line == 0 ? "" : std::to_string(line) + ":") + " found " + found + ", expected " + expected)
        {
        }

        std::string file;
        std::size_t line;
        std::string found;
        std::string expected;
        std::string text;
    };

    explicit log_error(std::shared_ptr<const contents> made) : error(made->text.c_str()), contents_(std::move(made)) {}

    std::shared_ptr<const contents> contents_;
};

namespace detail {

/// Text from a log as an error may show it: quoted, printable, and not longer than a line on a screen.
inline std::string excerpt(std::string_view text)
{
    constexpr std::size_t longest = 60;
    constexpr const char* digits = "0123456789abcdef";
    std::string shown = "\"";
    for (const char symbol : text.substr(0, longest)) {
        const auto code = static_cast<unsigned char>(symbol);
        if (code >= 0x20 && code < 0x7f) {
            shown += symbol;
        } else {
            shown += "\\x";
            shown += digits[code >> 4U];
            shown += digits[code & 15U];
        }
    }
    return shown + (text.size() > longest ? "…\"" : "\"");
}

/// A line of a log, for what is wrong there.
struct log_place {
    std::string file;
    std::size_t line = 0;

    [[noreturn]] void fail(std::string found, std::string expected) const
    {
        throw log_error(file, line, std::move(found), std::move(expected));
    }
};

}  // namespace detail
}  // namespace tidepool
