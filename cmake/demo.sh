#!/usr/bin/env bash
# Sets up a fresh Debian 12 machine, builds the tools and runs the main job: what does each eviction policy cost a real training
# step, at each memory budget?

source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
set -e

# Says what the runs in a file of JSON lines found. All numbers are taken from there.
findings() {
    awk '
        function field(name,   text) {
            if (!match($0, "\"" name "\":[^,}]*")) return ""
            text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
            gsub(/"/, "", text)
            return text
        }
        {
            name = field("heuristic"); ratio = field("ratio") + 0; overhead = field("overhead") + 0; runs++
            if (!(name in known)) { known[name]; heuristics++ }
            if (ratio == 1) peak = field("budget") / 1048576
            if (!(ratio in tried)) { tried[ratio]; budgets++ }
            if (field("result") != "pass") next
            passed++
            if (!(name in least) || ratio < least[name]) { least[name] = ratio; price[name] = overhead }
            if (lowest == "" || ratio < lowest) lowest = ratio
            if (ratio == 0.5) { at_half++; if (best == "" || overhead < best) best = overhead; if (overhead > worst) worst = overhead }
        }
        END {
            printf "What it found, in %d replays (%d heuristics, %d budgets), of which %d passed:\n", runs, heuristics, budgets, passed
            printf "  - Without a limit the step holds at most %.0f MiB at once.\n", peak
            printf "  - Of the budgets tried, %.0f %% of that is the least with which any heuristic passes.\n", 100 * lowest
            count = split("dtr dtr_eq lru", names, " ")
            for (i = 1; i <= count; i++)
                if (names[i] in least)
                    printf "  - %-6s still passes with %2.0f %% of it (%.0f MiB), and then computes for %.2f times as long.\n", names[i],
                        100 * least[names[i]], peak * least[names[i]], price[names[i]]
                else
                    printf "  - %-6s never passes.\n", names[i]
            printf "  - With half of it %d of the %d heuristics pass, at %.2f to %.2f times the compute.\n", at_half, heuristics, best, worst
        }' "$1"
}

# The main job: one sweep. Its table goes to the terminal, its runs to build/demo/runs.jsonl, its figure to build/demo/pareto.svg.
main_job() {
    local log=tests/data/resnet32_training_step.log
    echo "Replaying $log ..."
    echo
    build/release/bench/replay --log "$log" --heuristic all --budget-ratio 1.0,0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1 --dealloc eager \
        --semantics simrd --json-file build/demo/runs.jsonl
    echo
    echo "What this did: it took the operators of one training step (ResNet-32, a batch of 128 images; their times come from a model of"
    echo "a GPU) and ran it again and again in less memory than it asks for, without an engine. When memory is short, an eviction"
    echo "heuristic chooses what to drop; what was dropped is computed again when it is needed. A run counts as passed if that at most"
    echo "doubles the compute."
    echo
    findings build/demo/runs.jsonl
    echo
    if [[ -x build/release/bench/figures ]]; then
        build/release/bench/figures pareto --input build/demo/runs.jsonl --output build/demo/pareto.svg
        echo "The figure (time against budget, one line a heuristic): $root/build/demo/pareto.svg"
    else
        echo "There is no figure: the tool figures was not built, see build/demo/configure.log."
    fi
    echo "The runs, one JSON object a line:                       $root/build/demo/runs.jsonl"
    echo "Try others: build/release/bench/replay --help"
}

set_up
echo "Building the tools ..."
mkdir -p build/demo
configure release >build/demo/configure.log 2>&1 || { cat build/demo/configure.log; exit 1; }
cmake --build --preset release --target tools --parallel "$jobs" >build/demo/build.log 2>&1 || { cat build/demo/build.log; exit 1; }
main_job
