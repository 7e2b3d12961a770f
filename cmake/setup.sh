# Sourced by demo.sh and test.sh: installs what is missing on a Debian 12 machine, and sets `root` (the project's folder) and `jobs`.

set -uo pipefail
exec </dev/null  # nothing here asks anything

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)
cd "$root" || exit 1

packages=(g++ cmake ninja-build pkg-config libboost-dev nlohmann-json3-dev libcli11-dev gnuplot-nox libgnuplot-iostream-dev
    librapidcheck-dev libgtest-dev libgmock-dev libbenchmark-dev libmemkind-dev)

# set_up [<package>...]: makes sure that these and the packages above are installed. Needs no network where they are.
set_up() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "Set-up: this is no Debian system; taking what is installed. Needed: ${packages[*]} $*"
        return 0
    fi
    local missing=() package become=() log
    for package in "${packages[@]}" "$@"; do
        if [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) != installed* ]]; then missing+=("$package"); fi
    done
    if [[ ${#missing[@]} -eq 0 ]]; then
        echo "Set-up: all packages are installed."
        return 0
    fi
    if [[ $(id -u) -ne 0 ]]; then
        if ! command -v sudo >/dev/null; then
            echo "Set-up: missing packages, and neither root nor sudo to install them. As root: apt-get install ${missing[*]}" >&2
            return 1
        fi
        become=(sudo)
    fi
    echo "Set-up: installing ${missing[*]}"
    log=$(mktemp)
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive sh -c '
        apt-get -qq -o DPkg::Lock::Timeout=300 update && apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 install "$@"' \
        set_up "${missing[@]}" >"$log" 2>&1 || {
        cat "$log"
        rm -f "$log"
        echo "Set-up: apt-get could not install ${missing[*]}" >&2
        return 1
    }
    rm -f "$log"
}

# configure <preset> [<argument>...]
configure() {
    local preset=$1
    shift
    cmake --preset "$preset" -DTIDEPOOL_REFERENCE_DATA="${TIDEPOOL_REFERENCE_DATA:-}" "$@"
}
