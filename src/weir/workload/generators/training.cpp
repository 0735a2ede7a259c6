#include "weir/workload/collectives.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {
namespace {

struct Training {
  std::int64_t steps = 0;
  Time compute;
  std::int64_t gradient = 0;
  std::size_t buckets = 0;
  bool is_ring = false;
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
      all_reduce(program, training, piece(training.gradient, b, training.buckets));
      summed = program.last();
    }
    step_begin = summed;
  }
}

const WorkloadRegistration kTraining(
    workload_registry(),
    {"training",
     "data-parallel training of a neural network: every rank computes, then the gradients of all "
     "ranks are summed up, step after step (Inception-like)",
     "rocher2021, section 4.2.2",
     {Parameter::of(ParameterType::integer, "steps", "number of training steps")
          .by_default("1")
          .range(1, 1'000'000),
      Parameter::of(ParameterType::time, "compute",
                    "time for which every rank computes in a step, in whole ns")
          .required(),
      Parameter::of(ParameterType::bytes, "gradient",
                    "size of the gradient that every rank has; Inception-v3: some 24 million "
                    "numbers of 4 bytes, 95 MB")
          .by_default("95 MB"),
      Parameter::of(ParameterType::integer, "buckets",
                    "number of parts of the gradient; each is summed up as soon as its part of the "
                    "computation is over, while that goes on")
          .by_default("1")
          .range(1, 10'000),
      Parameter::of(ParameterType::text, "all_reduce",
                    "collective operation that sums the gradients up")
          .by_default("ring")
          .one_of({"ring", "recursive-doubling"})}},
    [](const Settings& settings, const RankCount& count) {
      Training training;
      training.steps = settings.integer("steps");
      training.compute = settings.time("compute");
      training.gradient = settings.bytes("gradient").count;
      training.buckets = static_cast<std::size_t>(settings.integer("buckets"));
      training.is_ring = settings.text("all_reduce") == "ring";
      return write_programs(count.ranks, [&](RankProgram& program) { train(program, training); });
    });

}  // namespace
}  // namespace weir::workload
