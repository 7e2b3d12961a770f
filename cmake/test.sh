#!/usr/bin/env bash
# test.sh [--all]: sets up a fresh Debian 12 machine and runs the tests: everything in g++ Release, a quick pass of the library's
# tests under ASan + UBSan, TSan on what has threads, clang 14 on the headers. --all adds full builds and tests with clang 14 and
# 16, all sanitizers over everything, the long tests and a minute of fuzzing a target.
#
# TIDEPOOL_REFERENCE_DATA in the environment names the folder of the reference logs; without it the tests on them skip.

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

all=false
case "${1:-}" in
"") ;;
--all) all=true ;;
*)
    echo "usage: test.sh [--all]" >&2
    exit 2
    ;;
esac
if [[ -n ${TIDEPOOL_REFERENCE_DATA:-} && $TIDEPOOL_REFERENCE_DATA != /* ]]; then
    echo "TIDEPOOL_REFERENCE_DATA must be an absolute path, not $TIDEPOOL_REFERENCE_DATA" >&2
    exit 2
fi

summary=()
failed=0
started=$SECONDS

# step <name> <command> [<argument>...]: runs it, and remembers how it went.
step() {
    local name=$1 before=$SECONDS result=passed
    shift
    printf '\n==== %s\n' "$name"
    "$@" || {
        result=FAILED
        failed=1
    }
    summary+=("$(printf '%-44s %-8s %5d' "$name" "$result" $((SECONDS - before)))")
}

# build <preset> [<target>]: with the tools, unless `tools` says otherwise
build() {
    configure "$1" "-DTIDEPOOL_TOOLS=${tools:-ON}" && cmake --build --preset "$1" --parallel "$jobs" ${2:+--target "$2"}
}

# build_and_test <preset> [<ctest argument>...]
build_and_test() {
    local preset=$1
    shift
    build "$preset" && ctest --preset "$preset" --parallel "$jobs" "$@"
}

test_threads() {
    build tsan threads && ctest --preset tsan --parallel "$jobs" -L '^threads$' -LE '^long$' --no-tests=ignore
}

fuzz() {
    local program name ok=0
    tools=OFF build fuzz || return 1
    for program in build/fuzz/tests/fuzz/fuzz_*; do
        [[ -f $program && -x $program ]] || continue
        name=${program##*/fuzz_}
        mkdir -p "build/fuzz/corpus/$name"
        local seeds=()
        if [[ -d tests/fuzz/$name ]]; then seeds=("tests/fuzz/$name"); fi
        "$program" -max_total_time=60 -timeout=25 -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="build/fuzz/$name-" \
            "build/fuzz/corpus/$name" "${seeds[@]}" 2>"build/fuzz/$name.log" || ok=1
        tail -n 12 "build/fuzz/$name.log"
    done
    return $ok
}

extra=(clang-14 libclang-rt-14-dev)
if $all; then extra+=(clang-16 libclang-rt-16-dev valgrind); fi
step "set-up" set_up "${extra[@]}"

if ! $all; then
    step "g++ Release: all but the long tests" build_and_test release -LE '^long$'
    tools=OFF step "g++ ASan + UBSan: the library's quick tests" build_and_test asan-ubsan -LE '^(long|packaging)$'
    step "g++ TSan: the tests with threads" test_threads
    step "clang 14: the headers" build clang headers
else
    step "g++ Release: all tests" build_and_test release
    step "g++ Debug: all but the long tests" build_and_test debug -LE '^(long|packaging)$'
    step "g++ ASan + UBSan: all tests" build_and_test asan-ubsan -LE '^packaging$'
    step "g++ TSan: all but the long tests" build_and_test tsan -LE '^(long|packaging)$'  # those have one thread
    step "clang 14: all tests" build_and_test clang
    step "clang 16: all tests" build_and_test clang-16
    step "clang 14: a minute of fuzzing a target" fuzz
fi

printf '\n%-44s %-8s %5s\n' step result seconds
printf '%s\n' "${summary[@]}"
printf '%-44s %-8s %5d\n' total "$([[ $failed -eq 0 ]] && echo passed || echo FAILED)" $((SECONDS - started))
exit "$failed"
