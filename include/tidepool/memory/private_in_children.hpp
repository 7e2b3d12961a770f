#pragma once

// Shared mappings that a child of fork() must not write through.

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/intrusive/list.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tidepool::detail {

/// One line of /proc/self/maps. Reading it allocates nothing: that is not allowed between fork() and exec().
struct mapping_line {
    std::uintptr_t start = 0;
    std::uintptr_t end = 0;
    bool shared = false;
    std::uintptr_t offset = 0;
    ino_t inode = 0;

    /// "start-end rwxs offset major:minor inode path"
    explicit mapping_line(std::string_view line) noexcept
    {
        const char* at = number(line.data(), line, start, 16);
        at = number(at + 1, line, end, 16);
        shared = line.end() - at > 4 && at[4] == 's';
        at = number(at + 6, line, offset, 16);
        number(at + 1 + line.substr(static_cast<std::size_t>(at + 1 - line.data())).find(' ') + 1, line, inode, 10);
    }

private:
    template <class Number>
    static const char* number(const char* at, std::string_view line, Number& value, int base) noexcept
    {
        return at < line.data() + line.size() ? std::from_chars(at, line.data() + line.size(), value, base).ptr : line.data() + line.size();
    }
};

/// Calls `visit` for every mapping of this process.
template <class Visit>
void for_each_mapping(Visit visit) noexcept
{
    const int maps = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    std::array<char, 8192> buffer;  // more than a line: a path has at most 4096
    std::size_t filled = 0;
    for (ssize_t got = 0; maps >= 0 && (got = ::read(maps, buffer.data() + filled, buffer.size() - filled)) > 0;) {
        filled += static_cast<std::size_t>(got);
        std::string_view text(buffer.data(), filled);
        for (std::size_t line; (line = text.find('\n')) != std::string_view::npos; text.remove_prefix(line + 1)) {
            visit(mapping_line(text.substr(0, line)));
        }
        filled = text.copy(buffer.data(), text.size());
    }
    if (maps >= 0) {
        ::close(maps);
    }
}

/// While it lives, children of fork() get the mappings of one of memkind's files as private copies.
///
/// Without it memkind, whose library takes down all of its kinds when a process exits, punches holes into the file from the child:
/// what the parent wrote would be gone. Works as far as /proc is mounted. Thread safety: full.
class private_in_children : public boost::intrusive::list_base_hook<> {
public:
    /// Calls `make`, which makes one of memkind's files, and looks after that.
    template <class Make>
    explicit private_in_children(Make make)
    {
        static const int registered = ::pthread_atfork([] { files().mutex.lock(); }, [] { files().mutex.unlock(); },
                                                       [] {
                                                           copy_mappings();
                                                           files().mutex.unlock();
                                                       });
        (void)registered;  // there was no memory for it: as without /proc
        const std::lock_guard lock(files().mutex);
        const std::vector<file> before = memkind_files();
        make();
        for (const file& candidate : memkind_files()) {
            if (std::find(before.begin(), before.end(), candidate) == before.end()) {
                file_ = candidate;
            }
        }
        files().all.push_back(*this);
    }
    private_in_children(const private_in_children&) = delete;
    private_in_children& operator=(const private_in_children&) = delete;
    ~private_in_children()
    {
        const std::lock_guard lock(files().mutex);
        files().all.erase(files().all.iterator_to(*this));
    }

private:
    struct file {
        int descriptor = -1;
        ino_t inode = 0;
        dev_t device = 0;

        friend bool operator==(const file&, const file&) = default;
    };
    struct registry {
        std::mutex mutex;
        boost::intrusive::list<private_in_children> all;
    };

    /// Never destroyed: static objects may fork while the process exits.
    static registry& files()
    {
        static registry* const all = new registry;
        return *all;
    }

    static std::vector<file> memkind_files()
    {
        std::vector<file> found;
        std::error_code failed;
        for (std::filesystem::directory_iterator entry("/proc/self/fd", failed), end; !failed && entry != end; entry.increment(failed)) {
            std::error_code gone;
            const std::string name = std::filesystem::read_symlink(entry->path(), gone).string();
            const int descriptor = std::atoi(entry->path().filename().c_str());
            struct stat status {};
            if (name.find("/memkind.") != std::string::npos && ::fstat(descriptor, &status) == 0) {
                found.push_back({descriptor, status.st_ino, status.st_dev});
            }
        }
        return found;
    }

    /// In the child. Where there can be no copy, there is nothing: then a use of it faults, but the parent's bytes are safe.
    static void copy_mappings() noexcept
    {
        if (files().all.empty()) {
            return;
        }
        for_each_mapping([](const mapping_line& mapping) {
            for (const private_in_children& one : files().all) {
                if (mapping.shared && mapping.inode == one.file_.inode && one.file_.descriptor >= 0) {
                    void* const start = reinterpret_cast<void*>(mapping.start);
                    const std::size_t bytes = mapping.end - mapping.start;
                    if (::mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, one.file_.descriptor,
                               static_cast<off_t>(mapping.offset)) == MAP_FAILED) {
                        ::mmap(start, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
                    }
                }
            }
        });
    }

    file file_;
};

}  // namespace tidepool::detail
