#pragma once

// A stream cut into lines of bounded length.

#include "log_error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidepool::detail {

/// Reads lines without their line feed. Memory: one line of at most `limit` bytes and one chunk; longer lines are an error
/// before they are read to their end.
class log_lines {
public:
    log_lines(std::istream& in, std::string file, std::size_t limit) : in_(&in), limit_(limit), place_{std::move(file), 0} {}

    /// The next line, valid until the next call, or nothing at the end of the stream. Throws `log_error`.
    std::optional<std::string_view> next()
    {
        ++place_.line;
        std::size_t searched = 0;
        for (;;) {
            const char* const from = buffer_.data() + begin_;
            const std::size_t available = end_ - begin_;
            if (searched < available) {
                const void* const feed = std::memchr(from + searched, '\n', available - searched);
                const std::size_t length = feed == nullptr ? available : static_cast<std::size_t>(static_cast<const char*>(feed) - from);
                if (length > limit_) {
                    place_.fail("a line of more than " + std::to_string(limit_) + " bytes", "one instruction");
                }
                if (feed != nullptr) {
                    begin_ += length + 1;
                    return std::string_view(from, length);
                }
                searched = available;
            }
            if (!fill()) {
                break;
            }
        }
        if (searched == 0) {
            return std::nullopt;
        }
        const std::string_view last(buffer_.data() + begin_, searched);
        begin_ = end_;
        return last;
    }

    [[nodiscard]] const log_place& place() const noexcept { return place_; }

private:
    static constexpr std::size_t chunk = 256 * 1024;

    bool fill()
    {
        if (begin_ > 0) {
            std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
                      buffer_.begin());
            end_ -= begin_;
            begin_ = 0;
        }
        if (buffer_.size() - end_ < chunk) {
            buffer_.resize(std::max(end_ + chunk, 2 * end_));
        }
        in_->read(buffer_.data() + end_, static_cast<std::streamsize>(chunk));
        end_ += static_cast<std::size_t>(in_->gcount());
        if (in_->bad()) {
            place_.fail("a stream that cannot be read", "a log");
        }
        return in_->gcount() > 0;
    }

    std::istream* in_;
    std::size_t limit_;
    log_place place_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;  // of what was read and not yet handed out
};

}  // namespace tidepool::detail
