#pragma once

// A bar for long work, where somebody watches.

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>
#include <unistd.h>

namespace tidepool::tools {

/// Draws on standard error how much of `total` is done, from the first second on, if that is a terminal; else does nothing.
///
/// Thread safety: `advance` may be called from several threads.
class progress_bar {
public:
    progress_bar(std::string what, std::size_t total) : what_(std::move(what)), total_(total), visible_(::isatty(STDERR_FILENO) == 1) {}
    ~progress_bar()
    {
        if (drawn_) {
            std::fputs("\r\033[K", stderr);
        }
    }
    progress_bar(const progress_bar&) = delete;
    progress_bar& operator=(const progress_bar&) = delete;

    void advance()
    {
        const std::lock_guard lock(mutex_);
        ++done_;
        const auto now = clock::now();
        if (!visible_ || now - begun_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) {
            return;
        }
        last_ = now;
        drawn_ = true;
        constexpr std::size_t width = 40;
        const std::size_t full = done_ < total_ ? done_ * width / total_ : width;
        const std::string bar = std::string(full, '#') + std::string(width - full, '.');
        std::fprintf(stderr, "\r%s [%s] %zu/%zu", what_.c_str(), bar.c_str(), done_, total_);
        std::fflush(stderr);
    }

private:
    using clock = std::chrono::steady_clock;

    std::string what_;
    std::size_t total_;
    std::size_t done_ = 0;
    bool visible_;
    bool drawn_ = false;
    clock::time_point begun_ = clock::now();
    clock::time_point last_{};
    std::mutex mutex_;
};

}  // namespace tidepool::tools
