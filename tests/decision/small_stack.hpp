#pragma once

// A thread with so little stack that recursion over a program would not survive.

#include <pthread.h>

#include <cstddef>
#include <functional>

namespace testing_decision {

/// Runs `work` to its end on a stack of 256 KiB. False if there was no such thread. `work` must not throw.
inline bool on_small_stack(const std::function<void()>& work)
{
    constexpr std::size_t bytes = 256 * 1024;
    pthread_attr_t attributes;
    pthread_t thread{};
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    const auto run = [](void* closure) -> void* {
        (*static_cast<const std::function<void()>*>(closure))();
        return nullptr;
    };
    auto* const closure = const_cast<std::function<void()>*>(&work);
    const bool started = pthread_attr_setstacksize(&attributes, bytes) == 0 && pthread_create(&thread, &attributes, run, closure) == 0;
    pthread_attr_destroy(&attributes);
    return started && pthread_join(thread, nullptr) == 0;
}

}  // namespace testing_decision
