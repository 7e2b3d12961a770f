#!/usr/bin/env bash
# outside.sh <cmake> <compiler> <source> <build> <work> <way> [plain|log|memkind|cuda]: uses the library from a project outside.
#
#   install            installs the build below <work>, and moves it: an installation may be moved
#   find_package, add_subdirectory, pkg_config
#                      builds tests/packaging/consumer in that way, without or with a component, and runs it
#   unknown_component  asks for a component that is not there, and expects one clear sentence
set -euo pipefail

cmake=$1
compiler=$2
source=$3
build=$4
work=$5
way=$6
component=${7:-plain}
consumer=$source/tests/packaging/consumer
prefix=$work/prefix
here=$work/$way.$component

configure() {
    rm -rf "$here"
    "$cmake" -S "$consumer" -B "$here" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release -DWITH_COMPONENT="$component" "$@"
}

case $way in
install)
    rm -rf "$prefix" "$work/first"
    "$cmake" --install "$build" --prefix "$work/first"
    mv "$work/first" "$prefix"
    test -f "$prefix/include/tidepool/core/units.hpp"
    test -n "$(find "$prefix/share/doc" -name LICENSE)"
    ;;
find_package)
    configure -DCMAKE_PREFIX_PATH="$prefix"
    "$cmake" --build "$here"
    "$here/consumer"
    ;;
add_subdirectory)
    configure -DTIDEPOOL_SOURCE="$source"
    "$cmake" --build "$here"
    "$here/consumer"
    ;;
pkg_config)
    if ! command -v pkg-config >/dev/null; then
        echo "skipped: pkg-config is not installed"
        exit 77
    fi
    package=tidepool
    main=main.cpp
    if [[ $component != plain ]]; then
        package=tidepool-$component
        main=main_$component.cpp
    fi
    export PKG_CONFIG_PATH=$prefix/share/pkgconfig
    mkdir -p "$here"
    read -ra flags <<<"$(pkg-config --cflags --libs "$package")"
    "$compiler" -std=c++20 "$consumer/$main" "${flags[@]}" -o "$here/consumer"
    "$here/consumer"
    ;;
unknown_component)
    if output=$(configure -DCMAKE_PREFIX_PATH="$prefix" -DWITH_COMPONENT=perpetual_motion 2>&1); then
        echo "find_package found a component that does not exist"
        exit 1
    fi
    grep "no component 'perpetual_motion'" <<<"$(tr -s ' \n' ' ' <<<"$output")" >/dev/null || {
        printf 'the message does not name the component:\n%s\n' "$output"
        exit 1
    }
    ;;
*)
    echo "unknown way: $way"
    exit 1
    ;;
esac
