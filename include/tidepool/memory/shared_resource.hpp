#pragma once

// A handle to a resource that cannot be copied.

#include "alignment_bounded_resource.hpp"
#include "bounded_resource.hpp"
#include "fallible_resource.hpp"
#include "owning_resource.hpp"
#include "properties.hpp"
#include "stream_ordered_resource.hpp"
#include "trimmable_resource.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace tidepool {

/// Shares a resource: copies are equal, and the resource lives until the last one is gone. Has all that the resource has.
///
/// Thread safety: copies may live in several threads; the resource's own is what it is. A moved-from handle is still whole.
template <memory_resource R>
class shared_resource {
public:
    using properties = properties_of<R>;

    explicit shared_resource(std::shared_ptr<R> resource) noexcept : resource_(std::move(resource)) {}
    shared_resource(const shared_resource&) noexcept = default;
    shared_resource& operator=(const shared_resource&) noexcept = default;
    ~shared_resource() = default;

    [[nodiscard]] void* allocate_sync(std::size_t bytes, std::size_t alignment) { return resource_->allocate_sync(bytes, alignment); }
    void deallocate_sync(void* pointer, std::size_t bytes, std::size_t alignment) noexcept
    {
        resource_->deallocate_sync(pointer, bytes, alignment);
    }
    [[nodiscard]] void* allocate(stream_view stream, std::size_t bytes, std::size_t alignment) requires stream_ordered_resource<R>
    {
        return resource_->allocate(stream, bytes, alignment);
    }
    void deallocate(stream_view stream, void* pointer, std::size_t bytes,
                    std::size_t alignment) noexcept requires stream_ordered_resource<R>
    {
        resource_->deallocate(stream, pointer, bytes, alignment);
    }
    [[nodiscard]] void* try_allocate(std::size_t bytes, std::size_t alignment) noexcept requires fallible_resource<R>
    {
        return resource_->try_allocate(bytes, alignment);
    }
    [[nodiscard]] bool owns(const void* pointer) const noexcept requires owning_resource<R> { return resource_->owns(pointer); }
    [[nodiscard]] std::size_t greatest_alignment() const noexcept requires alignment_bounded_resource<R>
    {
        return resource_->greatest_alignment();
    }
    [[nodiscard]] std::size_t capacity() const noexcept requires bounded_resource<R> { return resource_->capacity(); }
    [[nodiscard]] std::size_t available() const noexcept requires bounded_resource<R> { return resource_->available(); }
    std::size_t trim_to(std::size_t bytes) noexcept requires trimmable_resource<R> { return resource_->trim_to(bytes); }

    [[nodiscard]] R& operator*() const noexcept { return *resource_; }
    [[nodiscard]] R* operator->() const noexcept { return resource_.get(); }

    friend bool operator==(const shared_resource& left, const shared_resource& right) noexcept
    {
        return left.resource_ == right.resource_ || *left.resource_ == *right.resource_;
    }

private:
    std::shared_ptr<R> resource_;
};

/// `make_shared_resource<pipe<limited, host_memory>>(1_GiB)`.
template <memory_resource R, class... Arguments>
[[nodiscard]] shared_resource<R> make_shared_resource(Arguments&&... arguments)
{
    return shared_resource<R>(std::make_shared<R>(std::forward<Arguments>(arguments)...));
}

}  // namespace tidepool
