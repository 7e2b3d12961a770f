#pragma once

// One training step of ResNet-32 on CIFAR images, operator by operator.
//
// The model: He et al., "Deep Residual Learning for Image Recognition" (CVPR 2016), section 4.2, with parameter-free shortcuts.
// The operators, what each saves for its backward step, and what is done in place: as PyTorch does it with cuDNN.

#include "tape.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace training {

struct convolution_layer {
    tensor weight;
    std::int64_t stride;
};

struct norm_layer {
    tensor weight, bias, running_mean, running_variance;
};

struct linear_layer {
    tensor weight, bias;
};

class resnet32 {
public:
    static constexpr std::int64_t batch = 128, image = 32, classes = 10, blocks_per_stage = 5;

    /// The log of forward pass, backward pass and update of one step.
    static std::vector<tidepool::log_instruction> record_step()
    {
        tape engine;
        engine.annotate("START");
        resnet32 network(engine);
        return network.step();
    }

private:
    struct block {
        convolution_layer first;
        norm_layer first_norm;
        convolution_layer second;
        norm_layer second_norm;
    };

    explicit resnet32(tape& engine) : tape_(engine)
    {
        first_ = make_convolution(3, 16, 1);
        first_norm_ = make_norm(16);
        std::int64_t below = 16;
        for (const std::int64_t channels : {16, 32, 64}) {
            for (std::int64_t i = 0; i < blocks_per_stage; ++i) {
                blocks_.push_back({make_convolution(below, channels, channels / below), make_norm(channels),
                                   make_convolution(channels, channels, 1), make_norm(channels)});
                below = channels;
            }
        }
        last_ = {parameter({classes, below}), parameter({classes})};
    }

    std::vector<tidepool::log_instruction> step()
    {
        tensor images = tape_.constant({batch, 3, image, image});
        tensor labels = tape_.constant({batch, 2});  // one 8-byte integer an image

        const tensor loss = forward(std::move(images), std::move(labels));
        tape_.annotate("BACKWARD");
        tape_.add_gradient(loss->name(), tape_.run("ones_like", {loss}, result{{1}}, 1));
        tape_.backward();
        tape_.annotate("UPDATE");
        for (const tensor& each : parameters_) {
            gradients_.push_back(tape_.take_gradient(each->name()));
            tape_.run_in_place("add_", {each, gradients_.back()}, {0}, 2 * each->dims().elements());
        }
        return tape_.finish();  // parameters, statistics, gradients and the loss are held to the end
    }

    tensor forward(tensor images, tensor labels)
    {
        tensor x = convolution(images, first_, false);
        images.reset();
        x = batch_norm(x, first_norm_);
        relu_in_place(x);
        for (const block& each : blocks_) {
            x = basic_block(x, each);
        }
        x = average_pool(x);
        x = flatten(x);
        x = linear(x, last_);
        x = log_softmax(x);
        return nll_loss(x, labels);
    }

    tensor basic_block(const tensor& x, const block& layers)
    {
        tensor y = convolution(x, layers.first, true);
        y = batch_norm(y, layers.first_norm);
        relu_in_place(y);
        y = convolution(y, layers.second, true);
        y = batch_norm(y, layers.second_norm);
        add_in_place(y, layers.first.stride == 1 ? x : strided_padded(x, y->dims()));
        relu_in_place(y);
        return y;
    }

    // ---- operators: forwards, what is saved, and backwards ----

    tensor convolution(const tensor& x, const convolution_layer& layer, bool input_gradient)
    {
        const tensor& weight = layer.weight;
        const shape in = x->dims(), out{in.n, weight->dims().n, in.h / layer.stride, in.w / layer.stride};
        const std::int64_t flops = 2 * out.elements() * in.c * 9;
        const tensor y = tape_.run("cudnn_convolution", {x, weight}, result{out}, flops);
        backward_of(y, [this, x = x->name(), w = weight->name(), in, flops, input_gradient, saved_x = tape_.save(x),
                        saved_weight = tape_.save(weight)](const tensor& gradient) {
            if (input_gradient) {
                const auto both =
                    tape_.run("cudnn_convolution_backward", {saved_x, gradient, saved_weight}, {{in}, {saved_weight->dims()}}, 2 * flops);
                tape_.add_gradient(x, both[0]);
                tape_.add_gradient(w, both[1]);
            } else {
                tape_.add_gradient(
                    w, tape_.run("cudnn_convolution_backward_weight", {saved_x, gradient}, result{saved_weight->dims()}, flops));
            }
        });
        return y;
    }

    tensor batch_norm(const tensor& x, const norm_layer& layer)
    {
        const shape channels = layer.weight->dims();
        const std::int64_t elements = x->dims().elements();
        const auto made = tape_.run("cudnn_batch_norm", {x, layer.weight, layer.bias}, {{x->dims()}, {channels}, {channels}}, 8 * elements);
        tape_.run_in_place("batch_norm_update_stats_", {layer.running_mean, layer.running_variance, made[1], made[2]}, {0, 1},
                           4 * channels.n);
        backward_of(made[0], [this, x = x->name(), w = layer.weight->name(), b = layer.bias->name(), channels, elements,
                              saved_x = tape_.save(x), saved_weight = tape_.save(layer.weight), mean = tape_.save(made[1]),
                              deviation = tape_.save(made[2])](const tensor& gradient) {
            const auto all = tape_.run("cudnn_batch_norm_backward", {saved_x, gradient, saved_weight, mean, deviation},
                                       {{saved_x->dims()}, {channels}, {channels}}, 11 * elements);
            tape_.add_gradient(x, all[0]);
            tape_.add_gradient(w, all[1]);
            tape_.add_gradient(b, all[2]);
        });
        return made[0];
    }

    void relu_in_place(const tensor& x)
    {
        tape_.run_in_place("relu_", {x}, {0}, x->dims().elements());
        backward_of(x, [this, x = x->name(), saved = tape_.save(x)](const tensor& gradient) {
            tape_.add_gradient(x, tape_.run("threshold_backward", {gradient, saved}, result{saved->dims()}, saved->dims().elements()));
        });
    }

    void add_in_place(const tensor& x, const tensor& other)
    {
        tape_.run_in_place("add_", {x, other}, {0}, x->dims().elements());
        backward_of(x, [this, x = x->name(), other = other->name()](const tensor& gradient) {
            tape_.add_gradient(x, gradient);
            tape_.add_gradient(other, gradient);
        });
    }

    // The shortcut across a change of resolution: every second pixel, and zeros for the new channels.
    tensor strided_padded(const tensor& x, shape out)
    {
        const shape in = x->dims(), rows{in.n, in.c, in.h / 2, in.w}, pixels{in.n, in.c, in.h / 2, in.w / 2};
        tensor y = tape_.run("slice", {x}, result{rows, 0}, 0);
        y = tape_.run("slice", {y}, result{pixels, 0}, 0);
        y = tape_.run("constant_pad_nd", {y}, result{out}, 0);
        backward_of(y, [this, x = x->name(), in, rows, pixels](const tensor& gradient) {
            tensor g = tape_.run("narrow", {gradient}, result{pixels, 0}, 0);
            g = tape_.run("slice_backward", {g}, result{rows}, 0);
            g = tape_.run("slice_backward", {g}, result{in}, 0);
            tape_.add_gradient(x, g);
        });
        return y;
    }

    tensor average_pool(const tensor& x)
    {
        const tensor y = tape_.run("avg_pool2d", {x}, result{{x->dims().n, x->dims().c}}, x->dims().elements());
        backward_of(y, [this, x = x->name(), saved = tape_.save(x)](const tensor& gradient) {
            tape_.add_gradient(x, tape_.run("avg_pool2d_backward", {gradient, saved}, result{saved->dims()}, saved->dims().elements()));
        });
        return y;
    }

    tensor flatten(const tensor& x)
    {
        const shape in = x->dims();
        const tensor y = tape_.run("view", {x}, result{{in.n, in.c * in.h * in.w}, 0}, 0);
        backward_of(y, [this, x = x->name(), in](const tensor& gradient) {
            tape_.add_gradient(x, tape_.run("view", {gradient}, result{in, 0}, 0));
        });
        return y;
    }

    tensor linear(const tensor& x, const linear_layer& layer)
    {
        const tensor &weight = layer.weight, &bias = layer.bias;
        const shape in = x->dims();
        const std::int64_t features = weight->dims().n;
        const std::int64_t flops = 2 * in.n * in.c * features;
        const tensor transposed = tape_.run("t", {weight}, result{{in.c, features}, 0}, 0);
        const tensor y = tape_.run("addmm", {bias, x, transposed}, result{{in.n, features}}, flops);
        backward_of(y, [this, x = x->name(), w = weight->name(), b = bias->name(), in, features, flops, saved_x = tape_.save(x),
                        saved_weight = tape_.save(transposed)](const tensor& gradient) {
            const tensor w_again = tape_.run("t", {saved_weight}, result{{features, in.c}, 0}, 0);
            tape_.add_gradient(x, tape_.run("mm", {gradient, w_again}, result{in}, flops));
            const tensor flipped = tape_.run("t", {gradient}, result{{features, in.n}, 0}, 0);
            tape_.add_gradient(w, tape_.run("mm", {flipped, saved_x}, result{{features, in.c}}, flops));
            tape_.add_gradient(b, tape_.run("sum", {gradient}, result{{features}}, in.n * features));
        });
        return y;
    }

    tensor log_softmax(const tensor& x)
    {
        const tensor y = tape_.run("_log_softmax", {x}, result{x->dims()}, 4 * x->dims().elements());
        backward_of(y, [this, x = x->name(), saved = tape_.save(y)](const tensor& gradient) {
            const shape dims = saved->dims();
            tape_.add_gradient(x, tape_.run("_log_softmax_backward_data", {gradient, saved}, result{dims}, 4 * dims.elements()));
        });
        return y;
    }

    tensor nll_loss(const tensor& x, const tensor& labels)
    {
        const auto made = tape_.run("nll_loss_forward", {x, labels}, {result{{1}}, result{{1}}}, x->dims().n);
        backward_of(made[0], [this, x = x->name(), saved_x = tape_.save(x), labels = tape_.save(labels),
                              weight = tape_.save(made[1])](const tensor& gradient) {
            tape_.add_gradient(
                x, tape_.run("nll_loss_backward", {gradient, saved_x, labels, weight}, result{saved_x->dims()}, saved_x->dims().n));
        });
        return made[0];
    }

    template <class Step>
    void backward_of(const tensor& y, Step step)
    {
        tape_.on_backward([this, y = y->name(), step = std::move(step)] { step(tape_.take_gradient(y)); });
    }

    // ---- layers' tensors ----

    tensor parameter(shape dims) { return parameters_.emplace_back(tape_.constant(dims)); }

    convolution_layer make_convolution(std::int64_t in, std::int64_t out, std::int64_t stride)
    {
        return {parameter({out, in, 3, 3}), stride};
    }

    norm_layer make_norm(std::int64_t channels)
    {
        return {parameter({channels}), parameter({channels}), tape_.constant({channels}), tape_.constant({channels})};
    }

    tape& tape_;
    convolution_layer first_;
    norm_layer first_norm_;
    std::vector<block> blocks_;
    linear_layer last_;
    std::vector<tensor> parameters_, gradients_;
};

}  // namespace training
