#pragma once

// What a driver's operations do to the memory of a simulated machine.

#include "../../../core/checked.hpp"
#include "../../../core/units.hpp"
#include "../../stream_view.hpp"
#include "../cuda_codes.hpp"
#include "fault.hpp"
#include "memory_map.hpp"
#include "operation.hpp"
#include "options.hpp"
#include "streams.hpp"
#include "timeline.hpp"
#include "vector_clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace tidepool::simulated {

/// Devices with memory and streams, and the ways between them, in virtual time. Not thread-safe; `simulated_backend` is.
class machine {
public:
    explicit machine(const options& chosen)
        : options_(chosen), faults_(chosen.abort_on_fault), streams_(device_count(), chosen.poll_interval, faults_), memory_(options_)
    {
    }
    machine(const machine&) = delete;
    machine& operator=(const machine&) = delete;

    [[nodiscard]] int device_count() const noexcept { return static_cast<int>(options_.devices.size()); }
    [[nodiscard]] bool has_device(int device) const noexcept { return device >= 0 && device < device_count(); }
    [[nodiscard]] const device& device_at(int number) const noexcept { return options_.devices[static_cast<std::size_t>(number)]; }
    [[nodiscard]] simulated::streams& streams() noexcept { return streams_; }
    [[nodiscard]] const simulated::streams& streams() const noexcept { return streams_; }
    [[nodiscard]] fault_log& faults() noexcept { return faults_; }
    [[nodiscard]] const fault_log& faults() const noexcept { return faults_; }
    [[nodiscard]] std::size_t live_blocks() const noexcept { return memory_.live_blocks(); }

    // ---- blocks ----

    backend_result<void*> allocate(int space, std::size_t bytes)
    {
        const stamp birth = streams_.step_of_host();
        return allocate_by(space, [&] { return memory_.add(space, bytes, false, birth); });
    }

    backend_status free(operation during, int space, void* pointer)
    {
        block* const old = block_to_free(during, pointer);
        if (old == nullptr) {
            return status_of(pointer == nullptr ? cuda_code::success : cuda_code::invalid_value);
        }
        if (old->space != space) {
            const bool other_kind = (old->space == page_locked_space) != (space == page_locked_space);
            faults_.report({other_kind ? fault_kind::unknown_pointer : fault_kind::wrong_device, during, pointer});
            return status_of(cuda_code::invalid_value);
        }
        expect_unused(*old, streams_.host(), the_host, during);
        memory_.remove(*old);
        return {};
    }

    backend_result<void*> allocate_pooled(stream_view stream, std::size_t bytes)
    {
        stream_state* const in = streams_.find(stream, operation::allocate_pooled);
        if (in == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        const int space = streams_.current_device();
        const stamp birth = streams_.step_of(*in);
        return allocate_by(space, [&] {
            std::byte* const parting = memory_.add_from_parting(space, bytes, in->clock, birth);
            return parting != nullptr ? parting : memory_.add(space, bytes, true, birth);
        });
    }

    backend_status free_pooled(stream_view stream, void* pointer)
    {
        constexpr auto during = operation::free_pooled;
        stream_state* const in = streams_.find(stream, during);
        if (in == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        block* const old = block_to_free(during, pointer);
        if (old == nullptr) {
            return status_of(pointer == nullptr ? cuda_code::success : cuda_code::invalid_value);
        }
        if (!old->pooled) {
            faults_.report({fault_kind::unknown_pointer, during, pointer, in->id});
            return status_of(cuda_code::invalid_value);
        }
        const stamp freed = streams_.step_of(*in);
        expect_unused(*old, in->clock, in->id, during);
        memory_.remove_later(*old, freed, std::max(in->ready_at, streams_.now()));
        return {};
    }

    backend_result<bool> is_pooled(void* pointer) noexcept
    {
        const block* const found = memory_.starting_at(pointer);
        if (found == nullptr) {
            return status_of(cuda_code::invalid_value);
        }
        return found->pooled;
    }

    // ---- what is in them ----

    backend_status copy(stream_view stream, void* to, const void* from, std::size_t bytes)
    {
        stream_state* const in = streams_.find(stream, operation::copy);
        if (in == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        if (bytes == 0) {
            return {};
        }
        const memory_map::place source = memory_.find(from, bytes);
        const memory_map::place target = memory_.find(to, bytes);
        const stamp when = streams_.step_of(*in);
        const bool may_read = touch(source, in->clock, from, bytes, access_kind::read, when, operation::copy);
        const bool may_write = touch(target, in->clock, to, bytes, access_kind::write, when, operation::copy);
        if (!may_read || !may_write) {
            return status_of(cuda_code::illegal_address);
        }
        deliver(*in, way_between(source.in, target.in), to, from, bytes, source.in == nullptr);
        // A driver writes pageable memory itself: the call waits.
        return target.in == nullptr ? streams_.finish(*in) : backend_status{};
    }

    backend_status use(stream_view stream, const void* pointer, std::size_t bytes, access_kind kind)
    {
        stream_state* const in = streams_.find(stream, operation::use);
        if (in == nullptr) {
            return status_of(cuda_code::invalid_resource_handle);
        }
        if (bytes == 0) {
            return {};
        }
        memory_map::place where = memory_.find(pointer, bytes);
        if (where.in == nullptr) {
            where.wrong = where.wrong.value_or(fault_kind::unknown_pointer);
        } else if (!is_reachable(where.in->space, in->device)) {
            where.wrong = fault_kind::wrong_device;
        }
        const stamp when = streams_.step_of(*in);
        const bool may = touch(where, in->clock, pointer, bytes, kind, when, operation::use);
        return status_of(may ? cuda_code::success : cuda_code::illegal_address);
    }

    void use_on_host(const void* pointer, std::size_t bytes, access_kind kind)
    {
        const stamp when = streams_.step_of_host();
        touch(memory_.find(pointer, bytes), streams_.host(), pointer, bytes, kind, when, operation::use);
    }

private:
    /// Tries; then waits for what leaves the pools, as a driver does, and tries again.
    template <class Attempt>
    backend_result<void*> allocate_by(int space, Attempt attempt)
    {
        for (;;) {
            memory_.give_back_until(streams_.now());
            if (std::byte* const pointer = attempt()) {
                return static_cast<void*>(pointer);
            }
            const auto next = memory_.next_parting(space);
            if (!next) {
                return status_of(cuda_code::memory_allocation);
            }
            streams_.advance_to(*next);
        }
    }

    /// The block that begins there; a fault if there is none, but not for a null pointer.
    block* block_to_free(operation during, void* pointer)
    {
        block* const found = memory_.starting_at(pointer);
        if (found == nullptr && pointer != nullptr) {
            const bool freed = memory_.find(pointer, 1).wrong == fault_kind::use_after_free;
            faults_.report({freed ? fault_kind::double_free : fault_kind::unknown_pointer, during, pointer});
        }
        return found;
    }
    void expect_unused(const block& old, const vector_clock& known, actor by, operation during)
    {
        if (const auto user = old.history.collision(0, old.bytes, access_kind::write, known)) {
            faults_.report({fault_kind::freed_in_use, during, old.begin, by, user->who});
        }
    }

    [[nodiscard]] bool is_reachable(int space, int device) const noexcept
    {
        return space == page_locked_space || space == device || device_at(device).capabilities.peer_access;
    }
    /// Notes a use by who knows `known`. False if it must not be at all; a race does happen.
    bool touch(const memory_map::place& where, const vector_clock& known, const void* pointer, std::size_t bytes, access_kind kind,
               stamp when, operation during)
    {
        if (where.wrong) {
            faults_.report({*where.wrong, during, pointer, when.who});
            return false;
        }
        if (where.in != nullptr) {
            const auto begin = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - where.in->begin);
            if (const auto user = where.in->history.collision(begin, begin + bytes, kind, known)) {
                faults_.report({fault_kind::race, during, pointer, when.who, user->who});
            }
            where.in->history.add(begin, begin + bytes, kind, when);
        }
        return true;
    }

    struct way {
        const link& properties;
        nanoseconds& busy_until;
    };
    /// Null for pageable memory.
    way way_between(const block* from, const block* to)
    {
        const int source = from != nullptr ? from->space : page_locked_space;
        const int target = to != nullptr ? to->space : page_locked_space;
        return {link_between(source, target), busy_until_[{source, target}]};
    }
    [[nodiscard]] const link& link_between(int source, int target) const noexcept
    {
        if (source == page_locked_space) {
            return target == page_locked_space ? options_.host : device_at(target).from_host;
        }
        return target == page_locked_space ? device_at(source).to_host : device_at(source).within;
    }

    /// Until the copy is done its target is garbage: who reads it too early sees that.
    void deliver(stream_state& in, way by, void* to, const void* from, std::size_t bytes, bool at_once)
    {
        const nanoseconds start = std::max({in.ready_at, streams_.now(), by.busy_until});
        const nanoseconds end = saturating_add(start, transfer_time(by.properties, bytes));
        in.ready_at = end;
        by.busy_until = end;
        streams_.at(start, [=] { std::memset(to, 0xCD, bytes); });
        if (at_once) {  // a driver takes the bytes of pageable memory before it returns
            const auto* const first = static_cast<const std::byte*>(from);
            streams_.at(end, [to, taken = std::vector<std::byte>(first, first + bytes)] { std::memcpy(to, taken.data(), taken.size()); });
        } else {
            streams_.at(end, [=] { std::memmove(to, from, bytes); });
        }
    }

    options options_;
    fault_log faults_;
    simulated::streams streams_;
    memory_map memory_;
    std::map<std::pair<int, int>, nanoseconds> busy_until_;  // by the two spaces of a way
};

}  // namespace tidepool::simulated
