// An outside user of the component log.

#if __has_include(<tidepool/graph/log_reader.hpp>)
#include <tidepool/graph/log_reader.hpp>
#endif

#include <nlohmann/json.hpp>

int main() { return nlohmann::json::parse(R"({"bytes": 4096})").at("bytes") == 4096 ? 0 : 1; }
