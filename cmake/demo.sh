#!/usr/bin/env bash
# Sets up a fresh Debian 12 machine, builds the tools and runs the main job: what does each eviction policy cost a real training
# step, at each memory budget?

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
set -e

# The main job. Its table goes to the terminal, its figure to build/demo/pareto.svg.
main_job() {
    local logs=(tests/data/*.log)
    if [[ ! -x build/release/bench/replay || ! -e ${logs[0]} ]]; then
        echo "There is nothing to run yet: the tool replay or the log of a training step is missing."
        return 1
    fi
    local job=(--log "${logs[0]}" --heuristic all --budget-ratio 1.0,0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1)
    build/release/bench/replay "${job[@]}"
    build/release/bench/replay "${job[@]}" --json >build/demo/runs.jsonl
    build/release/bench/figures pareto --input build/demo/runs.jsonl --output build/demo/pareto.svg
    echo
    echo "What this did: it replayed ${logs[0]}, the recorded operators of a training step, under each eviction policy and at"
    echo "each memory budget from the step's whole peak down to a tenth of it. What it found is in the table above: how much"
    echo "more computing each policy pays for each budget, and where it cannot go on."
    echo "The same as a picture (overhead against budget, one line a policy): $root/build/demo/pareto.svg"
}

set_up
echo "Building the tools ..."
mkdir -p build/demo
configure release >build/demo/configure.log 2>&1 || { cat build/demo/configure.log; exit 1; }
cmake --build --preset release --target tools --parallel "$jobs" >build/demo/build.log 2>&1 || { cat build/demo/build.log; exit 1; }
main_job
