// Writes the log of one training step of ResNet-32, to be replayed under any policy and budget.
//
//     example_record_training_step resnet32.log
//
// Without a file it writes to the temporary directory, and checks that what it reads back is what it recorded.

#include "resnet32.hpp"

#include <tidepool/graph/log_program.hpp>
#include <tidepool/graph/log_reader.hpp>
#include <tidepool/graph/log_writer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace tp = tidepool;

namespace {

/// The most bytes that a program holds at once when nothing is evicted and each storage goes with its last reference.
/// Constants are pinned and stay.
tp::byte_count peak_bytes(const tp::program& program)
{
    struct storage {
        tp::byte_count bytes;
        int references;
        bool pinned;
    };
    std::vector<storage> storages;
    std::vector<std::size_t> storage_of;  // by tensor
    tp::byte_count now = 0, peak = 0;
    for (const tp::program::event& event : program.events()) {
        if (event.kind == tp::event_kind::compute) {
            for (const tp::output& made : program.outputs(event.as_operator())) {
                if (made.is_view()) {
                    storage_of.push_back(storage_of[index(program.inputs(event.as_operator())[static_cast<std::size_t>(made.alias)])]);
                    ++storages[storage_of.back()].references;
                } else {
                    storage_of.push_back(storages.size());
                    storages.push_back({made.bytes, 1, false});
                    now += made.bytes;
                }
            }
            peak = std::max(peak, now);
            continue;
        }
        storage& held = storages[storage_of[index(event.as_tensor())]];
        held.references += event.kind == tp::event_kind::get ? 1 : event.kind == tp::event_kind::release ? -1 : 0;
        held.pinned = held.pinned || event.kind == tp::event_kind::pin;
        now -= event.kind == tp::event_kind::release && held.references == 0 && !held.pinned ? held.bytes : 0;
    }
    return peak;
}

/// Milliseconds of operators between the annotations of the log.
std::map<std::string, double> cost_by_phase(const std::vector<tp::log_instruction>& log)
{
    std::map<std::string, double> cost;
    std::string phase;
    for (const tp::log_instruction& instruction : log) {
        if (const auto* const mark = std::get_if<tp::log_annotate>(&instruction)) {
            phase = mark->annotation;
        } else if (const auto* const call = std::get_if<tp::log_call>(&instruction)) {
            cost[phase] += static_cast<double>(call->time) / 1e6;
        } else if (const auto* const mutate = std::get_if<tp::log_mutate>(&instruction)) {
            cost[phase] += static_cast<double>(mutate->time) / 1e6;
        }
    }
    return cost;
}

bool same_when_read_back(const std::vector<tp::log_instruction>& log)
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("resnet32." + std::to_string(std::random_device()()) + ".log");
    tp::write_log(file, log);
    const bool same = tp::read_log(file) == log;
    std::filesystem::remove(file);
    return same;
}

}  // namespace

int main(int argc, char** argv)
try {
    const std::vector<tp::log_instruction> log = training::resnet32::record_step();
    if (argc > 1) {
        tp::write_log(std::filesystem::path(argv[1]), log);
    } else if (!same_when_read_back(log)) {
        std::fprintf(stderr, "the log changed on its way through a file\n");
        return 1;
    }

    const tp::program program = tp::program_from_log(log);
    std::map<std::string, double> cost = cost_by_phase(log);
    std::printf("ResNet-32, batch %lld: %zu instructions, %zu operators, %zu tensors, peak %.1f MB\n",
                static_cast<long long>(training::resnet32::batch), log.size(), program.operator_count(), program.tensor_count(),
                static_cast<double>(peak_bytes(program)) / 1e6);
    std::printf("forward %.3f ms, backward %.3f ms, update %.3f ms\n", cost["START"], cost["BACKWARD"], cost["UPDATE"]);
    return 0;
} catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
}
