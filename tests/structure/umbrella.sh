#!/usr/bin/env bash
# umbrella.sh <compiler> <include folder>...: fails when <tidepool/tidepool.hpp> pulls in a package that is optional.
set -euo pipefail

compiler=$1
shift
own=$1/tidepool
if [[ ! -f $1/tidepool/tidepool.hpp ]]; then
    echo "skipped: there is no tidepool/tidepool.hpp"
    exit 77
fi

# Lists the files, the library's own aside, that a program with these first lines includes.
included_by() {
    printf '%b' "$1" | "$compiler" -std=c++20 "${folders[@]}" -M -x c++ - | tr -s ' \\' '\n' | grep -vF "$own/"
}
optional='/(nlohmann|cuda|cccl|thrust|cub|CLI|torch|ATen)/|/(memkind|hbwmalloc|cuda_runtime[a-z_]*|dnnl[a-z_]*|gnuplot-iostream)\.h(pp)?$'
folders=()
for folder in "$@"; do folders+=(-I "$folder"); done

files=$(included_by '#include <tidepool/tidepool.hpp>\n')
if offenders=$(grep -E "$optional" <<<"$files"); then
    printf 'tidepool/tidepool.hpp must include no optional package, but it reaches:\n%s\n' "$offenders"
    exit 1
fi
if printf '#include <nlohmann/json.hpp>\n' | "$compiler" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null &&
    planted=$(included_by '#include <tidepool/tidepool.hpp>\n#include <nlohmann/json.hpp>\n') &&
    ! grep -qE "$optional" <<<"$planted"; then
    echo "this check is blind: it does not see a planted <nlohmann/json.hpp>"
    exit 1
fi
echo "tidepool/tidepool.hpp includes no optional package"
