// Any bytes are a log or a log_error: nothing else is thrown, nothing crashes, what was read can be written and read again, and a
// program that it means can be replayed.

#include <tidepool/decision/replay.hpp>
#include <tidepool/graph/log_program.hpp>
#include <tidepool/graph/log_reader.hpp>
#include <tidepool/graph/log_writer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

template <auto Semantics>
using core = tidepool::decision_core<tidepool::deallocate_by<tidepool::chosen_deallocation>, tidepool::semantics<Semantics>>;

/// In three quarters of what it asks for: it passes, or is refused.
void replay_within_less(const tidepool::program& program)
{
    if (program.operator_count() > 40) {  // where nothing costs anything, no limit ends what is tried
        return;
    }
    const tidepool::replay_baseline baseline = tidepool::measure_baseline(program);
    const tidepool::decision::limits limits{baseline.peak / 4 * 3, baseline.compute, 0};
    for (const auto action : {tidepool::release_action::ignore, tidepool::release_action::evict, tidepool::release_action::banish}) {
        if (tidepool::replay<core<tidepool::simrd>>(program, limits, {action}).counters.model_compute > baseline.compute) {
            std::abort();
        }
        try {
            if (tidepool::replay<core<tidepool::tidepool>>(program, limits, {action}).counters.max_memory > limits.budget) {
                std::abort();
            }
        } catch (const tidepool::invalid_program&) {  // it uses what it let go of
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::vector<tidepool::log_instruction> log;
    try {
        std::istringstream in(std::string(data, data + size));
        log = tidepool::read_log(in);
    } catch (const tidepool::log_error&) {
        return 0;
    }

    std::stringstream written;
    tidepool::write_log(written, log);
    if (tidepool::read_log(written) != log) {
        std::abort();
    }

    try {
        const tidepool::program program = tidepool::program_from_log(log);
        if (program.operator_count() > log.size()) {
            std::abort();
        }
        replay_within_less(program);
    } catch (const tidepool::log_error&) {
    }
    return 0;
}
