#include "weir/fabric/connection_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/base/error.hpp"
#include "weir/base/state_archive.hpp"

namespace weir::fabric {

namespace {

int room_beside(const std::vector<VlWeight>& configured, const char* key) {
  const auto entries = static_cast<int>(configured.size());
  if (entries > VlTableFiller::kEntries) {
    throw InputError(
        fmt::format("vl_arbitration.{}", key),
        fmt::format("{} entries, the table has room for {}", entries, VlTableFiller::kEntries));
  }
  return VlTableFiller::kEntries - entries;
}

bool has_weight(const std::vector<VlWeight>& table, std::uint16_t vl) {
  return std::any_of(table.begin(), table.end(),
                     [&](const VlWeight& one) { return one.vl == vl && one.weight > 0; });
}

}  // namespace

ConnectionTables::ConnectionTables(const Rules& rules, std::size_t ports)
    : rules_(rules),
      high_room_(room_beside(rules.configured.high, "high")),
      low_room_(room_beside(rules.configured.low, "low")) {
  VlArbitration empty = rules.configured;
  empty.high.resize(VlTableFiller::kEntries);
  empty.low.resize(VlTableFiller::kEntries);
  ports_.assign(ports,
                {VlTableFiller(high_room_, rules.end), VlTableFiller(low_room_, rules.end), empty});
}

std::optional<int> ConnectionTables::add(PortId port, std::uint16_t vl, int weight) {
  const auto number = filler(port, vl).add(vl, weight);
  if (number) update(port, vl);
  return number;
}

void ConnectionTables::remove(PortId port, std::uint16_t vl, int connection) {
  filler(port, vl).remove(connection);
  update(port, vl);
}

void ConnectionTables::write(const VlTableFiller& from, std::vector<VlWeight>& to) {
  const std::size_t first = to.size() - static_cast<std::size_t>(from.size());
  for (int i = 0; i < from.size(); ++i) to[first + static_cast<std::size_t>(i)] = from.scheduled(i);
}

void ConnectionTables::update(PortId port, std::uint16_t vl) {
  VlArbitration& tables = ports_[port.index()].tables;
  write(filler(port, vl), is_high(vl) ? tables.high : tables.low);
  if (listener_) listener_(port, vl);
}

void ConnectionTables::checkpoint(StateArchive& state, PortId number) {
  Port& port = ports_[number.index()];
  state(port.high, port.low);
  if (!state.is_reading()) return;
  write(port.high, port.tables.high);
  write(port.low, port.tables.low);
}

int ConnectionTables::entries(PortId port, std::uint16_t vl) const {
  return filler(port, vl).entries(vl);
}

int ConnectionTables::connections(PortId port, std::uint16_t vl) const {
  return filler(port, vl).connections(vl);
}

bool ConnectionTables::serves_without(std::uint16_t vl) const {
  return vl >= kDataVls || has_weight(rules_.configured.high, vl) ||
         has_weight(rules_.configured.low, vl);
}

std::size_t ConnectionTables::memory() const {
  const std::size_t of_entries = VlTableFiller::kEntries * (2 * sizeof(VlWeight) + 16);
  return ports_.capacity() * (sizeof(Port) + of_entries);
}

}  // namespace weir::fabric
