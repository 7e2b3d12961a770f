#!/usr/bin/env bash
# refused.sh <file> <compiler> <include folder>...: passes when the compiler refuses the file with the message that it expects.
set -euo pipefail

file=$1
compiler=$2
shift 2
folders=()
for folder in "$@"; do folders+=(-I "$folder"); done

compile() {  # messages only: no echo of the source, in which any text would be found
    local quiet=-fno-diagnostics-show-caret
    if [[ $("$compiler" --version) == *clang* ]]; then quiet=-fno-caret-diagnostics; fi
    LC_ALL=C "$compiler" -std=c++20 "$quiet" -fsyntax-only "${folders[@]}" "$@" "$file" 2>&1
}

expected=$(sed -n '1s|^// expect: *||p' "$file")
if [[ -z $expected ]]; then
    echo "$file: the first line must be: // expect: <extended regular expression>"
    exit 1
fi
if messages=$(compile); then
    echo "$file: compiles, but must not"
    exit 1
fi
if ! grep -qE -e "$expected" <<<"$messages"; then
    printf '%s: is refused, but no message matches: %s\n%s\n' "$file" "$expected" "$messages"
    exit 1
fi
if grep -q TIDEPOOL_CORRECT "$file" && ! messages=$(compile -DTIDEPOOL_CORRECT); then
    printf '%s: must compile with TIDEPOOL_CORRECT defined, but:\n%s\n' "$file" "$messages"
    exit 1
fi
grep -E -m 1 -e "$expected" <<<"$messages" || true
