#include "weir/workload/program.hpp"

namespace weir::workload {

Parameter exchange_order() {
  return Parameter::of(ParameterType::text, "order",
                       "order of the exchanges: steps, each waits for the one before; at-once, all "
                       "of a round are begun together")
      .by_default("steps")
      .one_of({"steps", "at-once"});
}

std::vector<Parameter> with_rounds(std::vector<Parameter> own) {
  own.push_back(
      Parameter::of(ParameterType::integer, "rounds", "number of rounds, one after the other")
          .by_default("1")
          .range(1, 1'000'000));
  own.push_back(Parameter::of(ParameterType::time, "compute",
                              "time for which every rank computes before each round, in whole ns")
                    .by_default("0 ns"));
  return own;
}

Schedule write_rounds(const Settings& settings, std::size_t ranks,
                      const std::function<void(RankProgram&)>& round) {
  const std::int64_t rounds = settings.integer("rounds");
  const Time compute = settings.time("compute");
  return write_programs(ranks, [&](RankProgram& program) {
    for (std::int64_t i = 0; i < rounds; ++i) {
      program.compute(compute);
      round(program);
      program.next_step();
    }
  });
}

}  // namespace weir::workload
