#include "weir/traffic/size.hpp"

#include "weir/base/uint128.hpp"

namespace weir::traffic {

namespace {

/// Packets of the messages of 1 to `bytes`, one of each.
Uint128 packets_up_to(std::int64_t bytes, std::int64_t mtu) {
  const auto full = static_cast<Uint128>(bytes / mtu);
  const auto rest = static_cast<Uint128>(bytes % mtu);
  return static_cast<Uint128>(mtu) * (full * (full + 1) / 2) + rest * (full + 1);
}

double mean_packets(const SizeDistribution::Outcome& outcome, std::int64_t mtu) {
  const std::int64_t before = outcome.smallest.count - 1;
  const Uint128 packets = packets_up_to(outcome.size.count, mtu) - packets_up_to(before, mtu);
  return static_cast<double>(packets) / static_cast<double>(outcome.size.count - before);
}

double mean_payload(const SizeDistribution::Outcome& outcome) {
  return (static_cast<double>(outcome.smallest.count) + static_cast<double>(outcome.size.count)) /
         2;
}

}  // namespace

MeanSize mean_size(const SizeDistribution& sizes, Bytes mtu, Bytes header) {
  MeanSize mean;
  for (const SizeDistribution::Outcome& outcome : sizes.outcomes()) {
    const double payload = mean_payload(outcome);
    const double headers = mean_packets(outcome, mtu.count) * static_cast<double>(header.count);
    mean.payload += outcome.probability * payload;
    mean.wire += outcome.probability * (payload + headers);
  }
  return mean;
}

}  // namespace weir::traffic
