#pragma once

// The error of tools about what they were given.

#include "../core/error.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tidepool::tools {

/// A file that a tool cannot use. `what()` is one line that names it, with the number of the line where there is one.
class bad_input : public error {
public:
    explicit bad_input(std::string text) : bad_input(std::make_shared<const std::string>(std::move(text))) {}

private:
    explicit bad_input(std::shared_ptr<const std::string> text) : error(text->c_str()), text_(std::move(text)) {}

    std::shared_ptr<const std::string> text_;  // shared, so that copies never throw
};

}  // namespace tidepool::tools
