#pragma once

// Composition of adaptors over a source, from left to right.

#include "memory_resource.hpp"

namespace tidepool {

namespace detail {

template <class Layer, class... Below>
struct stack {
    using type = typename Layer::template over<typename stack<Below...>::type>;
};
template <class Source>
struct stack<Source> {
    using type = Source;
};

}  // namespace detail

/// Layers in the order in which a request travels through them, the source last: `pipe<limited, tracked, host_memory>`.
///
/// Its constructor takes the layers' arguments in the same order, then the source's: `pipe<limited, pooled, mapped_file_memory>
/// memory(1_GiB, pool_options{}, "/mnt/pmem", 2_GiB)`. A layer is a class with a member template `over<Upstream>`.
template <class... LayersThenSource>
using pipe = typename detail::stack<LayersThenSource...>::type;

}  // namespace tidepool
