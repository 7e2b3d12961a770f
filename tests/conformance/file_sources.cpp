// Memory in files, memory of memkind's kinds, and addresses without memory.

#include "../memory/scratch_folder.hpp"
#include "resource_suite.hpp"

#include <tidepool/memory/adaptors/process_bound.hpp>
#include <tidepool/memory/adaptors/size_classes.hpp>
#include <tidepool/memory/pipe.hpp>
#include <tidepool/memory/sources/addressed_memory.hpp>
#include <tidepool/memory/sources/mapped_file_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace tp = tidepool;

namespace testing_conformance {

struct addressed {
    tp::addressed_memory memory{64 << 20};
};
struct mapped_file {
    testing_memory::scratch_folder folder;
    tp::mapped_file_memory memory{folder.path(), 64 << 20};
};
struct mapped_file_that_grows {
    testing_memory::scratch_folder folder;
    tp::mapped_file_memory memory{folder.path(), 64 << 20, 1 << 20};
};
struct classes_in_a_file {
    static constexpr bool gives_all = false;
    testing_memory::scratch_folder folder;
    tp::pipe<tp::process_bound, tp::size_classes, tp::mapped_file_memory> memory{folder.path(), 64 << 20};
};

using file_sources = testing::Types<addressed, mapped_file, mapped_file_that_grows, classes_in_a_file>;
INSTANTIATE_TYPED_TEST_SUITE_P(Files, Resource, file_sources);

}  // namespace testing_conformance
