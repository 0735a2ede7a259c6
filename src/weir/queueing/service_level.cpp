#include <fmt/format.h>

#include <algorithm>

#include "weir/base/keys.hpp"
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

struct ServiceLevelSettings {
  std::int32_t vls = 4;
  std::optional<std::vector<std::int64_t>> sl_to_vl;
};

using LevelFile = Checked<ServiceLevelSettings>;

/// VL 15 is for management: only the user's table leads there.
std::vector<int> usual_table(int lanes) {
  std::vector<int> table;
  for (int sl = 0; sl < 16; ++sl) table.push_back(sl % std::min(lanes, 15));
  return table;
}

std::vector<int> read_table(const LevelFile& file, const std::vector<std::int64_t>& given) {
  const auto wrong = [&](const std::string& why) {
    return file.error(&ServiceLevelSettings::sl_to_vl, why);
  };
  if (given.size() != 16)
    throw wrong(fmt::format("needs 16 entries, one a service level, not {}", given.size()));
  std::vector<int> table;
  for (const std::int64_t vl : given) {
    if (vl < 0 || vl >= file->vls) {
      throw wrong(fmt::format("VL {} of service level {} does not exist, there are {}", vl,
                              table.size(), file->vls));
    }
    table.push_back(static_cast<int>(vl));
  }
  return table;
}

const Registration<fabric::QueueingFactory> kServiceLevel(
    fabric::queueing_registry(),
    {"service-level", "InfiniBand virtual lanes by service level, each with its own credits",
     "iba2015volume1, section 7.6; yan2012, section 2.3"},
    Keys<ServiceLevelSettings>{
        key(&ServiceLevelSettings::vls, "vls",
            "number of VLs; with 16 the last one, VL 15, is for management: switch.arbiter = "
            "\"vl-weighted\" serves it before its tables")
            .range(1, 16),
        key(&ServiceLevelSettings::sl_to_vl, "sl_to_vl",
            "VL of each of the 16 service levels (default: SL mod vls, never VL 15)")},
    [](const LevelFile& file, const topology::Graph&) {
      return std::make_unique<ServiceLevels>(
          file->vls, file->sl_to_vl ? read_table(file, *file->sl_to_vl) : usual_table(file->vls));
    });

}  // namespace

}  // namespace weir::queueing
