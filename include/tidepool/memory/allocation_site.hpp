#pragma once

// Where in a program memory was asked for.

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

#if defined(__GLIBC__) || defined(__APPLE__)
#include <execinfo.h>
#endif

namespace tidepool {

/// Names what a thread is doing, for reports: `const allocation_label label("forward: conv1");`. The text must outlive every block
/// allocated under it. Nests; each thread has its own.
class allocation_label {
public:
    explicit allocation_label(const char* text) noexcept : before_(current()) { current() = text; }
    allocation_label(const allocation_label&) = delete;
    allocation_label& operator=(const allocation_label&) = delete;
    ~allocation_label() { current() = before_; }

    /// The innermost label's text, or null.
    [[nodiscard]] static const char*& current() noexcept
    {
        static thread_local const char* text = nullptr;
        return text;
    }

private:
    const char* before_;
};

/// The calls that led to a request, innermost first, and the label that it was made under.
class allocation_site {
public:
    static constexpr std::size_t most_frames = 12;

    /// Of the caller. Costs about a microsecond: the stack is unwound. Empty of frames where the C library cannot.
    [[nodiscard]] static allocation_site here() noexcept
    {
        allocation_site site;
        site.label_ = allocation_label::current();
#if defined(__GLIBC__) || defined(__APPLE__)
        site.depth_ = ::backtrace(site.frames_.data(), static_cast<int>(most_frames));
#endif
        return site;
    }

    [[nodiscard]] const char* label() const noexcept { return label_; }

    /// One line for the label, one a frame. Names need `-rdynamic`; addresses serve `addr2line` without.
    void print(std::FILE* out) const
    {
        if (label_ != nullptr) {
            std::fprintf(out, "    %s\n", label_);
        }
#if defined(__GLIBC__) || defined(__APPLE__)
        const std::unique_ptr<char*, decltype(&std::free)> names(::backtrace_symbols(frames_.data(), depth_), &std::free);
        for (int frame = 0; names != nullptr && frame < depth_; ++frame) {
            std::fprintf(out, "    %s\n", names.get()[frame]);
        }
#endif
    }

private:
    const char* label_ = nullptr;
    int depth_ = 0;
    std::array<void*, most_frames> frames_{};
};

}  // namespace tidepool
