// memkind's kinds, and its heaps on a real directory.

#include "../memory/scratch_folder.hpp"
#include "resource_suite.hpp"

#include <tidepool/memory/adaptors/size_classes.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/memkind_memory.hpp>
#include <tidepool/memory/sources/pmem_memory.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tp = tidepool;

namespace testing_conformance {

template <tp::memkind_kind Kind>
struct of_kind {
    static std::string unavailable()
    {
        const tp::memkind_memory kind(Kind);
        return kind.is_available() ? "" : std::string("this machine has no ") + kind.kind_name();
    }
    tp::memkind_memory memory{Kind};
};
struct pmem {
    static constexpr bool gives_all = false;  // jemalloc's pieces do not fill the file
    testing_memory::scratch_folder folder;
    tp::pmem_memory memory{folder.path(), 64 << 20};
};
struct classes_in_pmem {
    static constexpr bool gives_all = false;
    testing_memory::scratch_folder folder;
    tp::pipe<tp::size_classes, tp::pmem_memory> memory{folder.path(), 64 << 20};
};

using memkind_sources = testing::Types<of_kind<tp::memkind_kind::standard>, of_kind<tp::memkind_kind::hbw>, pmem, classes_in_pmem>;
INSTANTIATE_TYPED_TEST_SUITE_P(Memkind, Resource, memkind_sources);

}  // namespace testing_conformance
