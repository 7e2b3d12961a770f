#pragma once

// A small autograd engine that computes nothing: it only tells a recorder what it would run.

#include <tidepool/graph/log_instruction.hpp>
#include <tidepool/graph/log_recorder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace training {

/// Batch, channels, height, width of a tensor of 4-byte floats.
struct shape {
    std::int64_t n, c = 1, h = 1, w = 1;

    [[nodiscard]] std::int64_t elements() const { return n * c * h * w; }
    [[nodiscard]] std::int64_t bytes() const { return 4 * elements(); }
};

/// What an operator costs on an NVIDIA A100 (SXM, 40 GB) by its data sheet, in the roofline model: the time to compute at
/// 19.5 TFLOP/s (single precision) or to move its operands at 1555 GB/s, whichever is longer. No kernel is shorter than two
/// microseconds. Views launch none; they cost the host's time.
struct roofline {
    static constexpr std::int64_t flops_per_ns = 19'500;
    static constexpr std::int64_t bytes_per_ns = 1'555;
    static constexpr std::int64_t shortest_kernel_ns = 2'000;
    static constexpr std::int64_t view_ns = 1'000;

    static std::int64_t kernel_ns(std::int64_t flops, std::int64_t bytes)
    {
        return std::max({shortest_kernel_ns, flops / flops_per_ns, bytes / bytes_per_ns});
    }
};

class tape;

/// A handle: the engine's reference to a tensor. When the last one goes, the log says RELEASE.
class tensor_handle {
public:
    tensor_handle(tape& owner, std::string name, shape dims) : owner_(&owner), name_(std::move(name)), dims_(dims) {}
    tensor_handle(const tensor_handle&) = delete;
    tensor_handle& operator=(const tensor_handle&) = delete;
    ~tensor_handle();

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const shape& dims() const { return dims_; }

private:
    tape* owner_;
    std::string name_;
    shape dims_;
};
using tensor = std::shared_ptr<const tensor_handle>;

/// A result that an operator makes: of a shape, in a storage of its own or as a view of an input.
struct result {
    shape dims;
    std::int32_t view_of = tidepool::output::own_storage;
};

/// Runs operators, remembers their backward steps, and keeps the gradients that are under way.
class tape {
public:
    tensor constant(shape dims) { return handle(recorder_.constant(dims.bytes()), dims); }

    std::vector<tensor> run(std::string_view name, const std::vector<tensor>& inputs, const std::vector<result>& results,
                            std::int64_t flops)
    {
        std::vector<tidepool::output> outputs;
        std::int64_t bytes = bytes_of(inputs);
        bool only_views = true;
        for (const result& made : results) {
            const bool view = made.view_of != tidepool::output::own_storage;
            outputs.push_back({made.dims.bytes(), made.view_of});
            bytes += made.dims.bytes();
            only_views = only_views && view;
        }
        const std::int64_t cost = only_views ? roofline::view_ns : roofline::kernel_ns(flops, bytes);
        const std::vector<std::string> names = recorder_.call(name, names_of(inputs), outputs, cost);
        std::vector<tensor> made;
        for (std::size_t i = 0; i < names.size(); ++i) {
            made.push_back(handle(names[i], results[i].dims));
        }
        return made;
    }

    tensor run(std::string_view name, const std::vector<tensor>& inputs, const result& made, std::int64_t flops)
    {
        return run(name, inputs, std::vector{made}, flops).front();
    }

    /// An operator that overwrites the inputs at the indices `mutated`.
    void run_in_place(std::string_view name, const std::vector<tensor>& inputs, const std::vector<std::int32_t>& mutated,
                      std::int64_t flops)
    {
        std::int64_t bytes = bytes_of(inputs);
        for (const std::int32_t i : mutated) {
            bytes += inputs[static_cast<std::size_t>(i)]->dims().bytes();
        }
        recorder_.mutate(name, names_of(inputs), mutated, roofline::kernel_ns(flops, bytes));
    }

    /// Keeps a tensor's present value for the backward pass, whatever becomes of its name.
    tensor save(const tensor& value) { return handle(recorder_.copy(value->name()), value->dims()); }

    void on_backward(std::function<void()> step) { steps_.push_back(std::move(step)); }

    /// Adds to the gradient of the tensor of a name.
    void add_gradient(const std::string& of, const tensor& gradient)
    {
        tensor& sum = gradients_[of];
        sum = sum ? run("add", {sum, gradient}, result{sum->dims()}, sum->dims().elements()) : gradient;
    }

    /// The gradient of the tensor of a name, complete once the backward steps of all later operators have run.
    tensor take_gradient(const std::string& of)
    {
        tensor gradient = std::move(gradients_.at(of));
        gradients_.erase(of);
        return gradient;
    }

    /// Runs the backward steps, the last first. What a step had saved goes when it is done.
    void backward()
    {
        while (!steps_.empty()) {
            steps_.back()();
            steps_.pop_back();
        }
    }

    void annotate(std::string_view mark) { recorder_.annotate(mark); }

    /// Ends the recording: handles that go from now on leave no trace.
    std::vector<tidepool::log_instruction> finish()
    {
        recording_ = false;
        return std::move(log_);
    }

private:
    friend class tensor_handle;

    tensor handle(std::string name, shape dims) { return std::make_shared<const tensor_handle>(*this, std::move(name), dims); }

    static std::vector<std::string> names_of(const std::vector<tensor>& tensors)
    {
        std::vector<std::string> names;
        for (const tensor& each : tensors) {
            names.push_back(each->name());
        }
        return names;
    }

    static std::int64_t bytes_of(const std::vector<tensor>& tensors)
    {
        std::int64_t bytes = 0;
        for (const tensor& each : tensors) {
            bytes += each->dims().bytes();
        }
        return bytes;
    }

    bool recording_ = true;
    std::vector<tidepool::log_instruction> log_;
    tidepool::log_recorder recorder_{[this](tidepool::log_instruction instruction) { log_.push_back(std::move(instruction)); }};
    std::map<std::string, tensor> gradients_;
    std::vector<std::function<void()>> steps_;
};

inline tensor_handle::~tensor_handle()
{
    if (owner_->recording_) {
        owner_->recorder_.release(name_);
    }
}

}  // namespace training
