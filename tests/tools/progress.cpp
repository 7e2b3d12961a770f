// The bar is drawn where somebody watches, and only for work of over a second.

#include <tidepool/tools/progress.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

namespace {

/// What is written to standard error while `work` runs, with a terminal or a pipe in its place.
std::string watched(bool terminal, const std::function<void()>& work)
{
    std::array<int, 2> ends{-1, -1};  // reading, writing
    if (terminal) {
        ends[0] = ::posix_openpt(O_RDWR | O_NOCTTY);
        if (ends[0] < 0 || ::grantpt(ends[0]) != 0 || ::unlockpt(ends[0]) != 0) {
            return "no terminal";
        }
        ends[1] = ::open(::ptsname(ends[0]), O_RDWR | O_NOCTTY);
    } else if (::pipe(ends.data()) != 0) {
        return "no pipe";
    }
    std::fflush(stderr);
    const int kept = ::dup(STDERR_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    work();
    std::fflush(stderr);
    ::dup2(kept, STDERR_FILENO);
    ::close(kept);
    ::close(ends[1]);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::array<char, 4096> buffer{};
    const auto count = ::read(ends[0], buffer.data(), buffer.size());  // a terminal whose other end is closed gives an error at the end
    ::close(ends[0]);
    return {buffer.data(), count < 0 ? 0U : static_cast<std::size_t>(count)};
}

const auto long_work = [] {
    tidepool::tools::progress_bar bar("replaying", 4);
    bar.advance();
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    bar.advance();
};

TEST(ProgressBar, SaysNothingInAPipe) { EXPECT_EQ(watched(false, long_work), ""); }

TEST(ProgressBar, IsDrawnOnATerminalAndTakenAway)
{
    const int probe = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (probe < 0) {
        GTEST_SKIP() << "no pseudo terminal to draw on";
    }
    ::close(probe);
    const std::string drawn = watched(true, long_work);
    EXPECT_EQ(drawn, "\rreplaying [" + std::string(20, '#') + std::string(20, '.') + "] 2/4\r\033[K");
}

TEST(ProgressBar, SaysNothingOfShortWork)
{
    EXPECT_EQ(watched(true,
                      [] {
                          tidepool::tools::progress_bar bar("replaying", 2);
                          bar.advance();
                          bar.advance();
                      }),
              "");
}

TEST(ProgressBar, MayBeAdvancedBeyondItsEndAndMayBeEmpty)
{
    const std::string drawn = watched(true, [] {
        tidepool::tools::progress_bar bar("replaying", 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(1100));
        bar.advance();
    });
    const std::string full = std::string(40, '#').append("] 1/0");
    EXPECT_NE(drawn.find(full), std::string::npos) << drawn;
}

}  // namespace
