// Any bytes are a log or a log_error: nothing else is thrown, nothing crashes, and what was read can be written and read again.

#include <tidepool/graph/log_program.hpp>
#include <tidepool/graph/log_reader.hpp>
#include <tidepool/graph/log_writer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

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
    } catch (const tidepool::log_error&) {
    }
    return 0;
}
