#include <fmt/format.h>

#include <algorithm>

#include "weir/fabric/hooks/hooks.hpp"

namespace weir::queueing {

namespace {

/// InfiniBand virtual lanes: VL by the packet's service level through one SL-to-VL table.
class ServiceLevels : public fabric::QueueingScheme {
 public:
  ServiceLevels(int lanes, std::vector<int> table) : lanes_(lanes), table_(std::move(table)) {}
  [[nodiscard]] int classes() const override { return lanes_; }
  [[nodiscard]] int classify(const fabric::Packet& packet, PortId) const override {
    return table_[packet.service_level % 16U];
  }
  [[nodiscard]] bool has_management_vl() const override { return lanes_ == 16; }

 private:
  int lanes_;
  std::vector<int> table_;
};

std::unique_ptr<fabric::QueueingScheme> make_service_levels(const Settings& settings,
                                                            const topology::Graph&) {
  const auto lanes = static_cast<int>(settings.integer("vls"));
  std::vector<int> table(16);
  // VL 15 is for management: only the user's table leads there.
  const int data = std::min(lanes, 15);
  for (int sl = 0; sl < 16; ++sl) table[static_cast<std::size_t>(sl)] = sl % data;
  if (settings.has("sl_to_vl")) {
    const auto given = settings.integers("sl_to_vl");
    if (given.size() != 16) {
      throw settings.error(
          "sl_to_vl", fmt::format("needs 16 entries, one a service level, not {}", given.size()));
    }
    for (std::size_t sl = 0; sl < 16; ++sl) {
      if (given[sl] < 0 || given[sl] >= lanes) {
        throw settings.error("sl_to_vl",
                             fmt::format("VL {} of service level {} does not exist, there are {}",
                                         given[sl], sl, lanes));
      }
      table[sl] = static_cast<int>(given[sl]);
    }
  }
  return std::make_unique<ServiceLevels>(lanes, std::move(table));
}

const Registration<fabric::QueueingFactory> kServiceLevel(
    fabric::queueing_registry(),
    {"service-level",
     "InfiniBand virtual lanes by service level, each with its own credits",
     "iba2015volume1, section 7.6; yan2012, section 2.3",
     {Parameter::of(ParameterType::integer, "vls",
                    "number of VLs; with 16 the last one, VL 15, is for management: "
                    "switch.arbiter = \"vl-weighted\" serves it before its tables")
          .by_default("4")
          .range(1, 16),
      Parameter::of(ParameterType::integers, "sl_to_vl",
                    "VL of each of the 16 service levels (default: SL mod vls, never VL 15)")}},
    make_service_levels);

}  // namespace

}  // namespace weir::queueing
