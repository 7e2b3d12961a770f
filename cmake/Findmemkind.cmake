# Finds memkind, which has no CMake package of its own: memkind_FOUND and the target memkind::memkind.
# Installed beside tidepoolConfig.cmake, for the users of the component memkind.

find_path(memkind_INCLUDE_DIR memkind.h)
find_library(memkind_LIBRARY memkind)
mark_as_advanced(memkind_INCLUDE_DIR memkind_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(memkind REQUIRED_VARS memkind_LIBRARY memkind_INCLUDE_DIR)

if(memkind_FOUND AND NOT TARGET memkind::memkind)
    add_library(memkind::memkind UNKNOWN IMPORTED)
    set_target_properties(memkind::memkind PROPERTIES IMPORTED_LOCATION "${memkind_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${memkind_INCLUDE_DIR}")
endif()
