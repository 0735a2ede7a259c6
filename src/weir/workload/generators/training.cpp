#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

struct Training {
  std::int64_t steps = 1;
  Time compute;
  Bytes gradient{95'000'000};
  std::size_t buckets = 1;
  bool is_ring = true;
};

void all_reduce(RankProgram& program, const Training& training, std::int64_t bytes) {
  if (training.is_ring) {
    ring_all_reduce(program, bytes);
  } else {
    recursive_doubling_all_reduce(program, bytes);
  }
}

/// Computing goes on, on CPU 0, while the buckets that are ready are summed up one after the other
/// on CPU 1. The next step needs all of them.
void train(RankProgram& program, const Training& training) {
  std::vector<std::uint32_t> step_begin;
  for (std::int64_t step = 0; step < training.steps; ++step) {
    std::vector<std::uint32_t> computed = step_begin;
    std::vector<std::uint32_t> summed = step_begin;
    for (std::size_t b = 0; b < training.buckets; ++b) {
      program.use_cpu(0);
      program.resume_after(computed);
      program.compute(Time(piece(training.compute.count, b, training.buckets)));
      computed = program.last();
      program.use_cpu(1);
      std::vector<std::uint32_t> both = computed;
      if (b > 0) both.insert(both.end(), summed.begin(), summed.end());
      program.resume_after(std::move(both));
      all_reduce(program, training, piece(training.gradient.count, b, training.buckets));
      summed = program.last();
    }
    step_begin = summed;
  }
}

Keys<Training> training_keys() {
  return {
      key(&Training::steps, "steps", "number of training steps").range(1, 1'000'000),
      key(&Training::compute, "compute",
          "time for which every rank computes in a step, in whole ns")
          .required(),
      key(&Training::gradient, "gradient",
          "size of the gradient that every rank has; Inception-v3: some 24 million numbers of "
          "4 bytes, 95 MB"),
      key(&Training::buckets, "buckets",
          "number of parts of the gradient; each is summed up as soon as its part of the "
          "computation is over, while that goes on")
          .range(1, 10'000),
      choice(&Training::is_ring, "all_reduce", "collective operation that sums the gradients up",
             {{"ring", true}, {"recursive-doubling", false}})};
}

const WorkloadRegistration kTraining(
    workload_registry(),
    {"training",
     "data-parallel training of a neural network: every rank computes, then the gradients of all "
     "ranks are summed up, step after step (Inception-like)",
     "rocher2021, section 4.2.2"},
    training_keys(), [](const Checked<Training>& training, const RankCount& count) {
      return write_programs(count.ranks, [&](RankProgram& program) { train(program, *training); });
    });

}  // namespace
}  // namespace weir::workload
