#pragma once

#include <optional>

#include "weir/experiment/campaign/runner.hpp"

namespace weir::cli {

// Processes that `mpirun -n N weir run FILE` starts together. Rank 0 is the program as ever; the
// others only carry out runs for it. There are two programs: `weir` knows no MPI, so that a plain
// start costs nothing; started by mpirun it becomes `weir-mpi`, which lies beside it.

/// First thing in main(). An exit status: this process has done its part. Nothing: it is the
/// program.
std::optional<int> join_ranks(int argc, char** argv);

/// The other ranks; nullptr when there are none.
experiment::RunHelper* other_ranks();
/// How many runs each of them carries out at a time.
void set_jobs_of_ranks(unsigned jobs);

/// Last thing in main(), when join_ranks() gave nothing: the other ranks end.
void leave_ranks();

/// Processes that a launcher of MPI says it has started; 1 without launcher.
int launched_processes();
/// This one's number among them.
int launched_rank();

}  // namespace weir::cli
