#!/usr/bin/env bash
# self_check.sh <compiler>: refused.sh passes what it should, and nothing else.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

try() {  # try <pass|fail> <what the case is> <line>...
    local wanted=$1 what=$2 got=pass
    shift 2
    printf '%s\n' "$@" >"$folder/case.cpp"
    bash "$here/refused.sh" "$folder/case.cpp" "$compiler" "$folder" >"$folder/output" || got=fail
    if [[ $got != "$wanted" ]]; then
        echo "$what: expected $wanted, got $got"
        cat "$folder/output"
        exit 1
    fi
}
compiler=$1

try pass "the expected message" '// expect: sizes (differ|clash)' 'static_assert(sizeof(int) == 1, "sizes differ");'
try fail "another message" '// expect: sizes (differ|clash)' 'static_assert(sizeof(int) == 1, "no");  // sizes differ'
try fail "a file that compiles" '// expect: sizes differ' 'int i;'
try fail "no expectation" 'static_assert(sizeof(int) == 1, "sizes differ");'
try pass "correct without the wrong line" '// expect: wrong' '#ifndef TIDEPOOL_CORRECT' 'static_assert(false, "wrong");' '#endif'
try fail "wrong for another reason" '// expect: wrong' 'static_assert(false, "wrong");  // even with TIDEPOOL_CORRECT'
echo "refused.sh tells the cases apart"
