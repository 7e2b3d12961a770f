# What the tests, examples and tools of this project share. Nothing here reaches a consumer.

find_package(Threads REQUIRED)

add_library(tidepool_own INTERFACE)  # our own targets link it: warnings are errors here, and only here
target_compile_options(tidepool_own INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(tidepool_own INTERFACE -Wno-restrict)  # false alarms on "text" + std::string: GCC bug 105651
endif()

# Who includes interop/cuda_mr.hpp has a CCCL already. Our own targets take the toolkit's, which only nvcc finds by itself.
if(TARGET tidepool::cuda)
    find_path(TIDEPOOL_CCCL_INCLUDE_DIR cuda/memory_resource HINTS ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES cccl)
    mark_as_advanced(TIDEPOOL_CCCL_INCLUDE_DIR)
    if(TIDEPOOL_CCCL_INCLUDE_DIR)
        add_library(tidepool_cccl INTERFACE)
        add_library(tidepool::cccl ALIAS tidepool_cccl)
        target_link_libraries(tidepool_cccl INTERFACE tidepool::cuda)
        target_include_directories(tidepool_cccl SYSTEM INTERFACE "${TIDEPOOL_CCCL_INCLUDE_DIR}")
    endif()
endif()

# Building `threads` builds just what the tests with the label `threads` run.
add_custom_target(threads)

# tidepool_own_target(<target> [<library>...]): a target of this project, linked to the library and to what else it needs.
function(tidepool_own_target target)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_link_libraries(${target} PRIVATE tidepool_own tidepool::tidepool ${ARGN})
endfunction()

# tidepool_needs_of(<result> <include folder> <source>): the components that a source file needs, found from its includes.
# A quoted include is looked for beside the file, then in the include folder; <tidepool/...> in the include folder.
set(TIDEPOOL_EXTERNAL_log "(nlohmann|CLI)/")
set(TIDEPOOL_EXTERNAL_memkind "(memkind|hbwmalloc)[a-z_]*\\.h$")
set(TIDEPOOL_EXTERNAL_cuda "cuda(_runtime_api)?\\.h$")
set(TIDEPOOL_EXTERNAL_cccl "cuda/")
function(tidepool_needs_of result include_folder source)
    get_property(known GLOBAL PROPERTY "tidepool_needs_${source}" SET)
    if(known)
        get_property(needs GLOBAL PROPERTY "tidepool_needs_${source}")
        set(${result} "${needs}" PARENT_SCOPE)
        return()
    endif()
    set_property(GLOBAL PROPERTY "tidepool_needs_${source}" "")  # ends a circle; the floors test reports it
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    set(needs "")
    get_filename_component(folder "${source}" DIRECTORY)
    file(STRINGS "${source}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*)[>\"].*$" "\\1" included "${line}")
        foreach(component log memkind cuda cccl)
            if(included MATCHES "^${TIDEPOOL_EXTERNAL_${component}}")
                list(APPEND needs ${component})
            endif()
        endforeach()
        foreach(candidate "${folder}/${included}" "${include_folder}/${included}")
            if(EXISTS "${candidate}" AND NOT IS_DIRECTORY "${candidate}")
                cmake_path(NORMAL_PATH candidate)
                tidepool_needs_of(more "${include_folder}" "${candidate}")
                list(APPEND needs ${more})
                break()
            endif()
        endforeach()
    endforeach()
    list(REMOVE_DUPLICATES needs)
    set_property(GLOBAL PROPERTY "tidepool_needs_${source}" "${needs}")
    set(${result} "${needs}" PARENT_SCOPE)
endfunction()

# tidepool_libraries_for(<libraries> <missing> <source>...): the component targets that the sources need, and the components
# among them that are switched off.
function(tidepool_libraries_for libraries missing)
    set(found "")
    set(absent "")
    foreach(source IN LISTS ARGN)
        tidepool_needs_of(needs "${PROJECT_SOURCE_DIR}/include" "${source}")
        foreach(component IN LISTS needs)
            if(TARGET tidepool::${component})
                list(APPEND found tidepool::${component})
            else()
                list(APPEND absent ${component})
            endif()
        endforeach()
    endforeach()
    list(REMOVE_DUPLICATES found)
    list(REMOVE_DUPLICATES absent)
    set(${libraries} "${found}" PARENT_SCOPE)
    set(${missing} "${absent}" PARENT_SCOPE)
endfunction()

# tidepool_command_test(NAME <name> COMMAND <command> [<argument>...] [LABELS <label>...] [TIMEOUT <seconds>] [REQUIRES <target>...]):
# a test that runs a program and passes when it exits with 0. REQUIRES names the targets behind the command, so that the label
# `threads` builds them.
function(tidepool_command_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT" "COMMAND;LABELS;REQUIRES")
    add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
    if(arg_LABELS)
        set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}")
    endif()
    if(arg_TIMEOUT)
        set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    endif()
    if("threads" IN_LIST arg_LABELS AND arg_REQUIRES)
        add_dependencies(threads ${arg_REQUIRES})
    endif()
endfunction()
