#pragma once

// Why a device gives no bytes.

#include "../errors.hpp"
#include "status.hpp"

#include <cstddef>

namespace tidepool {

/// The driver refused an allocation for another reason than want of memory. Allocates nothing.
class device_error : public allocation_error {
public:
    device_error(const char* of, std::size_t bytes_asked, std::size_t alignment_asked, backend_status status) noexcept
        : device_error("tidepool: the device's driver refused", of, bytes_asked, alignment_asked, status)
    {
    }

    int code;            ///< the backend's
    const char* reason;  ///< the backend's name of it: "cudaErrorNoDevice"

protected:
    device_error(const char* text, const char* of, std::size_t bytes_asked, std::size_t alignment_asked, backend_status status) noexcept
        : allocation_error(text, of, bytes_asked, alignment_asked), code(status.code), reason(status.name)
    {
    }
};

/// There is no such device: no driver, none of that number, or no longer one because the process ends. An allocation error, so
/// that a chain of fallbacks goes on to the next tier.
class device_unavailable : public device_error {
public:
    device_unavailable(const char* of, std::size_t bytes_asked, std::size_t alignment_asked, backend_status status) noexcept
        : device_error("tidepool: the device is not available", of, bytes_asked, alignment_asked, status)
    {
    }
};

namespace detail {

/// Refuses a request with the error that a status means.
template <class How>
void* refuse_by_status(How how, backend_status status, const char* of, std::size_t bytes, std::size_t alignment)
{
    switch (status.result) {
        case outcome::out_of_memory:
            return how.refuse(out_of_memory(of, bytes, alignment));
        case outcome::device_unavailable:
        case outcome::context_destroyed:
            return how.refuse(device_unavailable(of, bytes, alignment, status));
        default:
            return how.refuse(device_error(of, bytes, alignment, status));
    }
}

}  // namespace detail
}  // namespace tidepool
