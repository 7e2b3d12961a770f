#pragma once

// Folders that go with the test, a small disk, and children.

#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace testing_memory {

/// An empty folder of its own below the system's temporary directory, removed with what is in it.
class scratch_folder {
public:
    scratch_folder()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "tidepool-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw std::system_error(errno, std::generic_category(), pattern);
        }
        path_ = pattern;
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] bool is_empty() const { return std::filesystem::is_empty(path_); }

private:
    std::string path_;
};

/// A disk of so many MiB in memory, where this process may mount one. A `ramfs` has no bound, and no holes.
class small_disk {
public:
    explicit small_disk(int mib, const char* type = "tmpfs")
    {
        const std::string size = "size=" + std::to_string(mib) + "m";
        mounted_ = ::mount("none", folder_.path().c_str(), type, 0, size.c_str()) == 0;
        why_not_ = mounted_ ? "" : std::string("this process may not mount a small disk: ") + std::strerror(errno);
    }
    small_disk(const small_disk&) = delete;
    small_disk& operator=(const small_disk&) = delete;
    ~small_disk()
    {
        if (mounted_) {
            ::umount2(folder_.path().c_str(), MNT_DETACH);
        }
    }

    [[nodiscard]] const std::string& path() const noexcept { return folder_.path(); }
    [[nodiscard]] const std::string& why_not() const noexcept { return why_not_; }

private:
    scratch_folder folder_;
    bool mounted_ = false;
    std::string why_not_;
};

/// How a child ended that ran `run`: its exit status, or minus the signal that killed it. `run` returns the status; then the
/// child ends at once, with `_exit`.
template <class Run>
[[nodiscard]] int status_in_child(Run run)
{
    const pid_t child = ::fork();
    if (child == 0) {
        int status = 255;
        try {
            status = run();
        } catch (...) {
        }
        ::_exit(status);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// Runs `run` without root's rights to everything, in a child.
template <class Run>
[[nodiscard]] int status_as_nobody(Run run)
{
    return status_in_child([&run] {
        constexpr unsigned nobody = 65534;
        if (::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) {
            return 254;
        }
        return run();
    });
}

}  // namespace testing_memory
