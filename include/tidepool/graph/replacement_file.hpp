#pragma once

// Writing a file so that nobody ever finds half of it.

#include "log_error.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

namespace tidepool {

/// A file beside `target` that takes its place at `commit`, and vanishes without it: what is there is replaced whole or not at all.
/// Errors: `log_error` with the target's name. Not safe to share.
class replacement_file {
public:
    explicit replacement_file(const std::filesystem::path& target) : place_{target.string(), 0}, target_(target)
    {
        std::error_code ignored;
        if (std::filesystem::exists(target, ignored) && !std::filesystem::is_regular_file(target, ignored)) {
            place_.fail("something that is no regular file", "a file to replace, or none");
        }
        std::random_device random;
        for (int attempt = 0; attempt < 100 && !stream_; ++attempt) {
            temporary_ = target;
            temporary_ += ".partial" + std::to_string(random());
            stream_.reset(std::fopen(temporary_.c_str(), "wbx"));  // x: never a file that another writer has open
        }
        if (!stream_) {
            place_.fail("no way to create a file there", "a directory that can be written");
        }
    }

    replacement_file(const replacement_file&) = delete;
    replacement_file& operator=(const replacement_file&) = delete;

    ~replacement_file()
    {
        if (!committed_) {
            stream_.reset();
            std::error_code ignored;
            std::filesystem::remove(temporary_, ignored);
        }
    }

    void write(std::string_view text)
    {
        if (std::fwrite(text.data(), 1, text.size(), stream_.get()) != text.size()) {
            place_.fail("a write that failed", "room for it");
        }
    }

    /// Where it is until then, for another program to fill.
    [[nodiscard]] const std::filesystem::path& unfinished() const noexcept { return temporary_; }

    void commit()
    {
        std::error_code failed;
        const bool complete = std::fflush(stream_.get()) == 0 && std::fclose(stream_.release()) == 0;
        if (complete) {
            std::filesystem::rename(temporary_, target_, failed);
        }
        if (!complete || failed) {
            place_.fail("a write that failed", "room for it");
        }
        committed_ = true;
    }

private:
    struct closer {
        void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
    };

    detail::log_place place_;
    std::filesystem::path target_, temporary_;
    std::unique_ptr<std::FILE, closer> stream_;
    bool committed_ = false;
};

}  // namespace tidepool
