#pragma once

// A file that nobody else sees and that goes with its last user.

#include "../core/checked.hpp"
#include "directory_error.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>

namespace tidepool {

/// An open file without a name in a directory. The filesystem frees its bytes when the file is closed, however the process ends.
///
/// Errors: `directory_error` from the constructor, `errno` values otherwise. Thread safety: none.
class temporary_file {
public:
    explicit temporary_file(const std::string& directory) : descriptor_(open_in(directory))
    {
        if (descriptor_ < 0) {
            detail::raise(directory_error("create a file", directory, errno));
        }
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file() { ::close(descriptor_); }

    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Adds bytes at the end, and makes the filesystem set them aside: writing to them cannot fail later. Returns 0 or an `errno`
    /// (ENOSPC: the filesystem is full); then the file is as it was.
    [[nodiscard]] int extend(std::size_t bytes) noexcept
    {
        const auto size = checked_add(size_, bytes);
        if (!size || *size > static_cast<std::size_t>(std::numeric_limits<off_t>::max())) {
            return EFBIG;
        }
        int failed = EINTR;
        while (failed == EINTR) {
            failed = ::posix_fallocate(descriptor_, static_cast<off_t>(size_), static_cast<off_t>(bytes));
        }
        if (failed == 0) {
            size_ = *size;
        } else if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) {
            // What was added of it stays unused until the file is closed.
        }
        return failed;
    }

    /// Bytes that the filesystem has for us, at this moment.
    [[nodiscard]] std::size_t filesystem_available() const noexcept
    {
        struct statvfs all {};
        return ::fstatvfs(descriptor_, &all) == 0 ? static_cast<std::size_t>(all.f_bavail) * all.f_frsize : 0;
    }

private:
    [[nodiscard]] static int open_in(const std::string& directory)
    {
        const int unnamed = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (unnamed >= 0) {
            return unnamed;
        }
        std::string path = directory + "/tidepool-XXXXXX";  // not every filesystem has files without names
        const int named = ::mkostemp(path.data(), O_CLOEXEC);
        if (named >= 0) {
            ::unlink(path.c_str());
        }
        return named;
    }

    int descriptor_;
    std::size_t size_ = 0;
};

}  // namespace tidepool
