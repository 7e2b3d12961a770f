// An outside user of the library: a program of two operators.

#if __has_include(<tidepool/tidepool.hpp>)
#include <tidepool/tidepool.hpp>
#else
#include <tidepool/graph/program.hpp>
#endif

#include <array>

int main()
{
    namespace tp = tidepool;
    using namespace tp::literals;

    tp::program step;
    const tp::tensor_id input = step.call("input", 0, {}, std::array{tp::output{4_KiB}});
    step.call("relu", 100, std::array{input}, std::array{tp::output{4_KiB}});
    return step.operator_count() == 2 && step.cost(tp::operator_id{1}) == 100 ? 0 : 1;
}
