#pragma once

// What every source does with a request before it looks for bytes.

#include "request.hpp"

namespace tidepool {

/// Base of a source `Self`, which gives three things (and befriends its base where they are private):
///  - `static constexpr const char* name`, for errors: "host memory";
///  - `greatest_alignment()`, in bytes;
///  - `allocate_by(how, bytes, alignment)` and `deallocate_by(how, pointer, bytes, alignment) noexcept`, never for zero bytes, an
///    alignment that is none, or more than `greatest_request` bytes once aligned. A refusal goes through `how.refuse(error)`.
///
/// The base makes the spellings of `memory_resource` and `fallible_resource` of them.
template <class Self>
class source {
public:
    [[nodiscard]] void* allocate_sync(std::size_t bytes, std::size_t alignment)
    {
        return checked(request::synchronous{}, bytes, alignment);
    }
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment) noexcept
    {
        if (pointer != nullptr) {
            self().deallocate_by(request::synchronous{}, pointer, bytes, alignment);
        }
    }
    [[nodiscard]] void* try_allocate(std::size_t bytes, std::size_t alignment) noexcept
    {
        return checked(request::without_throwing{}, bytes, alignment);
    }

protected:
    template <class How>
    [[nodiscard]] void* checked(How how, std::size_t bytes, std::size_t alignment)
    {
        if (bytes == 0) {
            return nullptr;
        }
        if (!std::has_single_bit(alignment) || alignment > self().greatest_alignment()) {
            return how.refuse(bad_alignment(Self::name, bytes, alignment, self().greatest_alignment()));
        }
        if (const auto rounded = checked_align_up(bytes, alignment); !rounded || *rounded > greatest_request) {
            return how.refuse(out_of_memory(Self::name, bytes, alignment));
        }
        return self().allocate_by(how, bytes, alignment);
    }

private:
    [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }
};

}  // namespace tidepool
