#!/usr/bin/env bash
# compile_time.sh [<compiler>...]: user time of compiling a file that includes a header and nothing else, best of five, in seconds.
# Without arguments: g++ and, where installed, clang++-14.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
headers=(tidepool/tidepool.hpp boost/hana.hpp vector)
compilers=("$@")
if [[ ${#compilers[@]} -eq 0 ]]; then
    compilers=(g++)
    if command -v clang++-14 >/dev/null; then compilers+=(clang++-14); fi
fi

TIMEFORMAT=%U
object=$(mktemp)
trap 'rm -f "$object"' EXIT
printf '%-12s %-24s %s\n' compiler header 'user s'
for compiler in "${compilers[@]}"; do
    for header in "${headers[@]}"; do
        best=
        for _ in 1 2 3 4 5; do
            seconds=$({ time "$compiler" -std=c++20 -O2 -I "$root/include" -x c++ -c -o "$object" - <<<"#include <$header>"; } 2>&1)
            if [[ ! $seconds =~ ^[0-9.]+$ ]]; then
                echo "$compiler could not compile <$header>: $seconds" >&2
                exit 1
            fi
            if [[ -z $best || $(printf '%s\n%s\n' "$seconds" "$best" | sort -g | head -n 1) == "$seconds" ]]; then best=$seconds; fi
        done
        printf '%-12s %-24s %s\n' "$compiler" "<$header>" "$best"
    done
done
