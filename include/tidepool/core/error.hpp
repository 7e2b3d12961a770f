#pragma once

// The root of every error that Tidepool throws.

#include <exception>

namespace tidepool {

/// Base of Tidepool's errors. `what()` never allocates; numbers are members of the derived types.
class error : public std::exception {
public:
    /// `text` must outlive the error: a string literal, or storage of the derived type.
    explicit error(const char* text) noexcept : text_(text) {}

    [[nodiscard]] const char* what() const noexcept override { return text_; }

private:
    const char* text_;
};

}  // namespace tidepool
