#pragma once

// The network of the theorems on recomputation: a chain of equal layers, forwards and backwards.

#include "program.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace tidepool {

/// A uniform linear feed-forward network of `nodes` layers and its backward pass: 2 · `nodes` operators called "unit", each of
/// one nanosecond and one byte.
///
/// The gradient of layer k needs the output of layer k - 1 and the gradient of layer k + 1. With `releases` each output goes
/// before the gradient of the layer above it is replaced, and each gradient once the next one stands; the last gradient stays.
/// Nothing is pinned. Source: DTR (Kirisame et al., ICLR 2021), section 3 and appendix A; event order of the authors' simulator.
[[nodiscard]] inline program linear_network(std::size_t nodes, bool releases = true)
{
    constexpr std::array<output, 1> result{output{1}};
    program network;
    const auto unit = [&](std::span<const tensor_id> inputs) { return network.call("unit", 1, inputs, result); };
    const auto release = [&](tensor_id tensor) {
        if (releases) {
            network.release(tensor);
        }
    };
    if (nodes == 0) {
        return network;
    }

    std::vector<tensor_id> forward{unit({})};
    while (forward.size() < nodes) {
        forward.push_back(unit(std::array{forward.back()}));
    }
    release(forward.back());
    forward.pop_back();

    tensor_id gradient = unit({});
    while (!forward.empty()) {
        const tensor_id own_output = forward.back();
        forward.pop_back();
        release(own_output);
        const tensor_id above = gradient;
        gradient = forward.empty() ? unit(std::array{above}) : unit(std::array{forward.back(), above});
        release(above);
    }
    return network;
}

}  // namespace tidepool
