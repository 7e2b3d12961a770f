#pragma once

// Which Tidepool this is.

namespace tidepool {

struct version {
    int major;
    int minor;
    int patch;
};

inline constexpr version library_version{0, 1, 0};

}  // namespace tidepool
