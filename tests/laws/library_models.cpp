// Every model in the library obeys the laws of its concept.

#include "deallocation.hpp"
#include "executor.hpp"
#include "metadata_kind.hpp"
#include "search_pool.hpp"
#include "term.hpp"

#include <tidepool/decision/replay.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tp = tidepool;
namespace kinds = tidepool::metadata;
using namespace tidepool::terms;

namespace {

TEST(Laws, OfTerms)
{
    testing_laws::expect_term_laws<size>();
    testing_laws::expect_term_laws<last_access>();
    testing_laws::expect_term_laws<staleness>();
    testing_laws::expect_term_laws<staleness_of(neighborhood_scan)>();
    testing_laws::expect_term_laws<random(0)>();
    testing_laws::expect_term_laws<random(1)>();
    testing_laws::expect_term_laws<cost(local)>();
    testing_laws::expect_term_laws<cost(neighborhood)>();
    testing_laws::expect_term_laws<cost(ancestors)>();
    testing_laws::expect_term_laws<cost(equivalence_class)>();
    testing_laws::expect_term_laws<cost(neighborhood_scan)>();
}

TEST(Laws, OfExpressions)
{
    testing_laws::expect_term_laws<tp::h_dtr>();
    testing_laws::expect_term_laws<tp::h_dtr_eq>();
    testing_laws::expect_term_laws<tp::h_dtr_unopt>();
    testing_laws::expect_term_laws<tp::h_msps>();
    testing_laws::expect_term_laws<tp::h_size>();
    testing_laws::expect_term_laws<0.5 * size + 3 * staleness>();
}

TEST(Laws, OfSearchPools) { testing_laws::expect_search_pool_laws<tp::exhaustive>(); }

TEST(Laws, OfDeallocations)
{
    testing_laws::expect_deallocation_laws(tp::ignore_releases{});
    testing_laws::expect_deallocation_laws(tp::eager_eviction{});
    testing_laws::expect_deallocation_laws(tp::banishing{});
    testing_laws::expect_deallocation_laws(tp::chosen_deallocation{tp::release_action::banish});
}

TEST(Laws, OfExecutors)
{
    tp::null_executor nobody;
    testing_laws::expect_executor_laws(nobody);
    tp::hashing_executor hash;
    testing_laws::expect_executor_laws(hash);
}

TEST(Laws, OfKindsOfMetadata)
{
    testing_laws::expect_metadata_kind_laws<kinds::access_times>();
    testing_laws::expect_metadata_kind_laws<kinds::own_costs>();
    testing_laws::expect_metadata_kind_laws<kinds::neighbors>();
    testing_laws::expect_metadata_kind_laws<kinds::equivalence_classes>();
    testing_laws::expect_metadata_kind_laws<kinds::evicted_neighborhood>();
    testing_laws::expect_metadata_kind_laws<kinds::neighborhood_scan>();
}

}  // namespace
