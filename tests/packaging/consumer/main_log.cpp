// An outside user of the component log: reads a log and writes it again.

#include <tidepool/graph/log_reader.hpp>
#include <tidepool/graph/log_writer.hpp>

#include <sstream>

int main()
{
    namespace tp = tidepool;

    std::istringstream in(
        "{\"INSTRUCTION\":\"CONSTANT\",\"NAME\":\"x\"}\n{\"INSTRUCTION\":\"MEMORY\",\"MEMORY\":\"4096\",\"NAME\":\"x\"}\n");
    const auto log = tp::read_log(in);
    std::ostringstream out;
    tp::write_log(out, log);
    std::istringstream again(out.str());
    return log.size() == 2 && tp::read_log(again) == log ? 0 : 1;
}
