// The resources of examples/custom_resource, written outside the library, in the library's suites.

#include "../../examples/custom_resource/huge_page_memory.hpp"
#include "../../examples/custom_resource/zeroed.hpp"
#include "adaptor_suite.hpp"
#include "resource_suite.hpp"

#include <tidepool/memory/pipe.hpp>

#include <tuple>

struct huge_pages {
    huge_page_memory memory;
};
struct zeroed_huge_pages {
    tidepool::pipe<zeroed, huge_page_memory> memory;
};
struct zeroes {
    template <class Upstream>
    using stack = tidepool::pipe<zeroed, Upstream>;
    static auto arguments() { return std::tuple{}; }
};

namespace testing_conformance {

INSTANTIATE_TYPED_TEST_SUITE_P(HugePages, Resource, huge_pages);
INSTANTIATE_TYPED_TEST_SUITE_P(ZeroedHugePages, Resource, zeroed_huge_pages);
INSTANTIATE_TYPED_TEST_SUITE_P(Zeroed, Adaptor, zeroes);

}  // namespace testing_conformance
