#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "../exit_status.hpp"
#include "../ranks.hpp"

namespace weir::cli {

std::optional<int> join_ranks(int, char** argv) {
  if (launched_processes() < 2) return std::nullopt;
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string with_mpi = (self.parent_path() / "weir-mpi").string();
  execv(with_mpi.c_str(), argv);
  if (launched_rank() == 0) {
    std::fprintf(stderr,
                 "weir: started by mpirun, but built without MPI (no %s); install libopenmpi-dev "
                 "and openmpi-bin, and build again\n",
                 with_mpi.c_str());
  }
  return kWrongInput;
}

experiment::RunHelper* other_ranks() { return nullptr; }

void set_jobs_of_ranks(unsigned) {}

void leave_ranks() {}

}  // namespace weir::cli
