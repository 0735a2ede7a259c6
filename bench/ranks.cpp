// One simulation by several processes: wall time of the same work, all of them together and the
// first one alone in turn. Built where there is MPI. Prints lines of JSON for scripts/scaling.
//
//   mpirun -n 2 bench_ranks [--rounds 5]
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <vector>

#include "bench/divided.hpp"
#include "cli/ranks/mpi_ranks.hpp"
#include "weir/base/error.hpp"

namespace weir::bench {
namespace {

void compare(const DividedCase& what, int rounds, Ranks& ranks) {
  std::vector<double> alone;
  std::vector<double> together;
  Half last;
  for (int round = 0; round < rounds; ++round) {
    Half one;
    if (ranks.rank() == 0) one = run(what, 1);
    (void)ranks.gather({});
    last = run(what, 1, &ranks);
    if (ranks.rank() != 0) continue;
    if (one.fingerprint != last.fingerprint || one.hops != last.hops)
      throw RunError("the runs differ");
    alone.push_back(one.seconds);
    together.push_back(last.seconds);
  }
  if (ranks.rank() != 0) return;
  nlohmann::json line = to_json(what, 1, last);
  line["ranks"] = ranks.count();
  line["seconds_alone"] = alone;
  line["seconds"] = together;
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

/// Of processes that have nothing for each other.
double seconds_of_meeting(Ranks& ranks) {
  constexpr int kTimes = 50'000;
  const std::vector<Ranks::Parcel> out(ranks.count());
  std::vector<Ranks::Parcel> in(ranks.count());
  std::vector<std::byte> headers(32 * ranks.count());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kTimes; ++i) ranks.exchange(std::span(headers).first(32), out, headers, in);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return seconds.count() / kTimes;
}

int measure(int argc, char** argv) {
  CLI::App app("One simulation by several processes");
  int rounds = 5;
  int longer = 1;
  app.add_option("--rounds", rounds, "pairs of runs")->check(CLI::PositiveNumber);
  app.add_option("--longer", longer, "than usual, so many times")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  cli::MpiRanks ranks;
  const double meeting = seconds_of_meeting(ranks);
  if (ranks.rank() == 0) {
    fmt::print("{}\n", nlohmann::json{{"meeting", "processes"}, {"seconds", meeting}}.dump());
  }
  for (const DividedCase& what : divided_cases(false, longer)) compare(what, rounds, ranks);
  return 0;
}

}  // namespace
}  // namespace weir::bench

int main(int argc, char** argv) {
  setenv("OMPI_MCA_btl_vader_eager_limit", "65536", 0);  // as weir-mpi does
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  const int status = weir::bench::measure(argc, argv);
  MPI_Finalize();
  return status;
}
