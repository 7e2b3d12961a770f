// replay: what each eviction heuristic costs a recorded training step, at each memory budget.

#include "replay/heuristic.hpp"

#include <tidepool/tools/replay_main.hpp>

int main(int argc, char** argv)
{
    using namespace tidepool;
    using tools::heuristic;
    return replay_main(
        {
            heuristic<h_dtr>("dtr"),
            heuristic<h_dtr_eq>("dtr_eq"),
            heuristic<h_dtr_local>("dtr_local"),
            heuristic<h_dtr_unopt>("dtr_unopt"),
            heuristic<h_msps>("msps"),
            heuristic<h_lru>("lru"),
            heuristic<h_size>("size"),
            heuristic<h_random>("random"),
            heuristic<h_e>("e"),
            heuristic<h_e_size>("e_size"),
            heuristic<h_e_stale>("e_stale"),
            heuristic<h_e_size_stale>("e_size_stale"),
            heuristic<h_eq>("eq"),
            heuristic<h_eq_size>("eq_size"),
            heuristic<h_eq_stale>("eq_stale"),
            heuristic<h_eq_size_stale>("eq_size_stale"),
            heuristic<h_local>("local"),
            heuristic<h_local_size>("local_size"),
            heuristic<h_local_stale>("local_stale"),
            heuristic<h_local_size_stale>("local_size_stale"),
            heuristic<h_size_stale>("size_stale"),
            heuristic<h_stale>("stale"),
        },
        argc, argv);
}
