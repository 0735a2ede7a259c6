#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/fabric/hooks/reaction.hpp"

namespace weir::reaction {

namespace {

/// Another reaction for each service level; those that none is for do not react.
class ByServiceLevel final : public fabric::Reaction {
 public:
  struct Part {
    std::string name;
    std::vector<std::int64_t> levels;
    std::unique_ptr<fabric::Reaction> reaction;
  };

  explicit ByServiceLevel(std::vector<Part> parts) : parts_(std::move(parts)) {
    for (Part& part : parts_) {
      for (const std::int64_t level : part.levels) {
        of_level_[static_cast<std::size_t>(level)] = part.reaction.get();
      }
    }
  }

  void on_generated(const fabric::Message& m, Time now) override {
    if (fabric::Reaction* one = of(m.service_level)) one->on_generated(m, now);
  }
  Time may_inject(const fabric::Message& m, Time now) override {
    fabric::Reaction* one = of(m.service_level);
    return one == nullptr ? now : one->may_inject(m, now);
  }
  void on_injected(const fabric::Message& m, const fabric::Packet& packet, Time now) override {
    if (fabric::Reaction* one = of(m.service_level)) one->on_injected(m, packet, now);
  }
  bool on_received(const fabric::Packet& packet, std::uint32_t flow, Time now) override {
    fabric::Reaction* one = of(packet.service_level);
    return one == nullptr || one->on_received(packet, flow, now);
  }
  void on_ack(const fabric::Packet& ack, Time now) override {
    if (fabric::Reaction* one = of(ack.service_level)) one->on_ack(ack, now);
  }
  void on_lost(const fabric::Packet& ack, Time now) override {
    if (fabric::Reaction* one = of(ack.service_level)) one->on_lost(ack, now);
  }

  /// Packets of all service levels are as long.
  [[nodiscard]] fabric::CarriedBytes carried() const override {
    fabric::CarriedBytes sum;
    for (const Part& part : parts_) {
      const fabric::CarriedBytes one = part.reaction->carried();
      sum.data += one.data;
      sum.ack += one.ack;
    }
    return sum;
  }
  void attach(const fabric::FabricView& fabric) override {
    for (const Part& part : parts_) part.reaction->attach(fabric);
  }
  void check(bool is_idle) const override {
    for (const Part& part : parts_) part.reaction->check(is_idle);
  }
  /// What several parts tell of one metric adds up.
  void read(fabric::Readings& readings, Time now) const override {
    for (const Part& part : parts_) part.reaction->read(readings, now);
  }
  [[nodiscard]] bool shares_states() const override {
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const Part& part) { return part.reaction->shares_states(); });
  }
  [[nodiscard]] bool has_windows() const override {
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const Part& part) { return part.reaction->has_windows(); });
  }
  [[nodiscard]] bool works_in_parts() const override {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const Part& part) { return part.reaction->works_in_parts(); });
  }
  [[nodiscard]] bool has_checkpoints() const override {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const Part& part) { return part.reaction->has_checkpoints(); });
  }
  void checkpoint(fabric::NodeState& state) override {
    for (const Part& part : parts_) part.reaction->checkpoint(state);
  }
  void checkpoint_totals(fabric::TotalState& state) override {
    for (const Part& part : parts_) part.reaction->checkpoint_totals(state);
  }
  [[nodiscard]] std::size_t memory() const override {
    std::size_t sum = 0;
    for (const Part& part : parts_) sum += part.reaction->memory();
    return sum;
  }
  [[nodiscard]] std::vector<std::string> notes() const override {
    return notes_of(counts_for_notes());
  }
  /// Those of the parts, one behind the other.
  [[nodiscard]] std::vector<std::uint64_t> counts_for_notes() const override {
    std::vector<std::uint64_t> all;
    for (const Part& part : parts_) {
      const std::vector<std::uint64_t> its = part.reaction->counts_for_notes();
      all.insert(all.end(), its.begin(), its.end());
    }
    return all;
  }
  [[nodiscard]] std::vector<std::string> notes_of(
      std::span<const std::uint64_t> counts) const override {
    std::vector<std::string> all;
    for (const Part& part : parts_) {
      const std::size_t count = part.reaction->counts_for_notes().size();
      for (const std::string& note : part.reaction->notes_of(counts.first(count))) {
        const bool is_new = std::find(all.begin(), all.end(), note) == all.end();
        if (is_new) all.push_back(note);
      }
      counts = counts.subspan(count);
    }
    return all;
  }

 private:
  [[nodiscard]] fabric::Reaction* of(std::uint8_t service_level) const {
    return service_level < of_level_.size() ? of_level_[service_level] : nullptr;
  }

  std::vector<Part> parts_;
  std::array<fabric::Reaction*, 16> of_level_{};
};

/// The keys of a part that are not its model's.
struct PartSettings {
  std::string model;
  std::vector<std::int64_t> levels;
};

const Keys<PartSettings>& part_keys() {
  static const Keys<PartSettings> keys{
      key(&PartSettings::model, "model", "a reaction").required(),
      key(&PartSettings::levels, "service_levels", "0 to 15").required()};
  return keys;
}

ConfigTable without_own(ConfigTable table) {
  for (const Parameter& own : part_keys().parameters()) table.erase(own.name);
  return table;
}

ConfigTable only_own(const ConfigTable& table) {
  ConfigTable kept;
  kept.position = table.position;
  for (const Parameter& own : part_keys().parameters()) {
    if (const ConfigValue* value = table.find(own.name)) kept.set(own.name, *value);
  }
  return kept;
}

ByServiceLevel::Part read_part(const ConfigTable& table, const std::string& where,
                               const fabric::ReactionContext& context) {
  const Checked<PartSettings> own = part_keys().check(only_own(table), where);
  const bool are_levels = std::all_of(own->levels.begin(), own->levels.end(),
                                      [](std::int64_t one) { return one >= 0 && one < 16; });
  if (own->levels.empty() || !are_levels) {
    throw own.error(&PartSettings::levels, "must be numbers from 0 to 15, one at least");
  }
  const auto& model = fabric::reaction_registry().find(
      own->model, table.find(own.name_of(&PartSettings::model))->position, where + ".model");
  if (own->model == "by-service-level")
    throw own.error(&PartSettings::model, "cannot be by-service-level again");
  const Settings settings = Settings::check(without_own(table), model.info.parameters, where);
  return {own->model, own->levels, model.make(settings, context)};
}

struct PartList {
  ConfigValue parts;
};

std::unique_ptr<fabric::Reaction> make_by_level(const Checked<PartList>& file,
                                                const fabric::ReactionContext& context) {
  const ConfigValue& list = file->parts;
  const auto fail = [&] {
    return file.error(&PartList::parts,
                      "must be a list of tables, as [{ service_levels = [0], model = \"fimd\" }]");
  };
  if (!list.is_array() || list.array().empty()) throw fail();
  std::vector<ByServiceLevel::Part> parts;
  std::array<bool, 16> is_taken{};
  for (const ConfigValue& value : list.array()) {
    if (!value.is_table()) throw fail();
    const ConfigTable table = placed_table(value);
    const std::string where = fmt::format("reaction.parts[{}]", parts.size());
    parts.push_back(read_part(table, where, context));
    for (const std::int64_t level : parts.back().levels) {
      bool& taken = is_taken[static_cast<std::size_t>(level)];
      if (taken) {
        throw file.error(&PartList::parts,
                         fmt::format("service level {} has two reactions", level));
      }
      taken = true;
    }
  }
  return std::make_unique<ByServiceLevel>(std::move(parts));
}

const Registration<fabric::ReactionFactory> kByServiceLevel(
    fabric::reaction_registry(),
    {"by-service-level",
     "another reaction for each service level; messages of a level without one do not wait",
     "yan2012, section 3.4"},
    Keys<PartList>{
        key(&PartList::parts, "parts",
            "tables with service_levels, model and the keys of that model: [{ service_levels = "
            "[0], model = \"fimd\" }, { service_levels = [1], model = \"pipd\", factor = 4.0 }]")
            .required()},
    make_by_level);

}  // namespace

}  // namespace weir::reaction
