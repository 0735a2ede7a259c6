#include "weir/workload/program.hpp"

namespace weir::workload {

const Keys<RoundSettings>& round_keys() {
  static const Keys<RoundSettings> keys{
      key(&RoundSettings::rounds, "rounds", "number of rounds, one after the other")
          .range(1, 1'000'000),
      key(&RoundSettings::compute, "compute",
          "time for which every rank computes before each round, in whole ns")};
  return keys;
}

Schedule write_rounds(const RoundSettings& settings, std::size_t ranks,
                      const std::function<void(RankProgram&)>& round) {
  return write_programs(ranks, [&](RankProgram& program) {
    for (std::int64_t i = 0; i < settings.rounds; ++i) {
      program.compute(settings.compute);
      round(program);
      program.next_step();
    }
  });
}

Keys<MessageRoundSettings> message_round_keys(std::string_view help) {
  return Keys<MessageRoundSettings>{key(&MessageRoundSettings::bytes, "bytes", help).required()}
      .with(round_keys());
}

}  // namespace weir::workload
