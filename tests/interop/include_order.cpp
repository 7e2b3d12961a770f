// expect: include tidepool/interop/cuda_mr.hpp before <cuda/memory_resource>
// CCCL 3.0's cuda::mr stays empty for whoever includes it without its macro first; later no definition helps.

#ifdef TIDEPOOL_CORRECT
#include <tidepool/interop/cuda_mr.hpp>
#endif
#include <cuda/memory_resource>
#include <tidepool/interop/cuda_mr.hpp>

static_assert(tidepool::examples::cuda_mr_synchronous<tidepool::as_cuda_mr<tidepool::examples::minimal_resource>>);
