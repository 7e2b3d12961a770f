#pragma once

// Why a directory, or the filesystem that it is on, cannot be used.

#include "../core/error.hpp"
#include "errors.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace tidepool {

/// A directory cannot hold memory: it is not there, not ours, on the wrong filesystem, or on one that is full. Thrown when a
/// resource is made, never for an allocation. `what()` is one line; reading and copying the error allocate nothing.
class directory_error : public error {
public:
    /// `tried` is a literal that ends a sentence which begins with "cannot": "map a file".
    directory_error(const char* tried, const std::string& directory, int errno_of_it)
        : error("tidepool: a directory cannot hold memory"),
          operation(tried),
          code(errno_of_it),
          texts_(std::make_shared<const texts>(directory, line(tried, directory, errno_of_it)))
    {
    }

    [[nodiscard]] const char* what() const noexcept override { return texts_->line.c_str(); }
    [[nodiscard]] const std::string& path() const noexcept { return texts_->path; }

    const char* operation;  ///< "create a file"
    int code;               ///< as in `errno`

private:
    struct texts {
        texts(std::string of, std::string text) : path(std::move(of)), line(std::move(text)) {}

        std::string path;
        std::string line;
    };

    static std::string line(const char* tried, const std::string& directory, int code)
    {
        std::string text = std::string("tidepool: cannot ") + tried + " in '" + directory + "': " + std::generic_category().message(code);
        for (char& character : text) {
            if (static_cast<unsigned char>(character) < ' ') {
                character = '?';  // a path may have a line break in it
            }
        }
        return text;
    }

    std::shared_ptr<const texts> texts_;
};

/// The tier has room, but the filesystem below it has none.
class filesystem_full : public tier_full {
public:
    filesystem_full(const tier_full& tier, std::size_t free_on_filesystem) noexcept
        : tier_full(tier), filesystem_available(free_on_filesystem)
    {
    }

    [[nodiscard]] const char* what() const noexcept override { return "tidepool: the filesystem below the tier is full"; }

    std::size_t filesystem_available;  ///< bytes
};

}  // namespace tidepool
