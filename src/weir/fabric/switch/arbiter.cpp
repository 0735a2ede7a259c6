#include "weir/fabric/switch/arbiter.hpp"

#include <algorithm>
#include <tuple>

#include "weir/fabric/connection_tables.hpp"

namespace weir::fabric {

namespace {

constexpr int kManagementVl = 15;

}  // namespace

int VlArbiter::next(const std::vector<VlWeight>& table, Cursor& cursor,
                    std::uint32_t sendable) const {
  for (std::size_t step = 0; step < table.size(); ++step) {
    const std::size_t i = (cursor.position + step) % table.size();
    const VlWeight& entry = table[i];
    if (entry.weight == 0 || ((sendable >> entry.vl) & 1U) == 0) continue;
    if (step != 0 || cursor.credit < 0) {
      cursor.position = i;
      cursor.credit = entry.weight;
    }
    return entry.vl;
  }
  return -1;
}

void VlArbiter::charge(const std::vector<VlWeight>& table, Cursor& cursor, std::uint32_t bytes) {
  cursor.credit -= static_cast<int>((bytes + 63) / 64);
  if (cursor.credit > 0) return;
  // A whole packet always goes; what it overdrew is forgiven.
  cursor.position = (cursor.position + 1) % table.size();
  cursor.credit = -1;
}

int VlArbiter::pick(std::uint32_t sendable, std::uint32_t bytes_by_vl[16]) {
  // Management traffic goes before all tables, and counts for none.
  if (((sendable >> kManagementVl) & 1U) != 0) return kManagementVl;
  Cursor high = high_;
  Cursor low = low_;
  const int hi = next(tables_->high, high, sendable);
  const int lo = next(tables_->low, low, sendable);
  const bool counts_bytes = tables_->limit_unit > 0;
  const std::int64_t limit =
      std::int64_t{tables_->high_limit} * (counts_bytes ? tables_->limit_unit : 1);
  const bool unlimited = tables_->high_limit == 255;
  if (hi >= 0 && (lo < 0 || unlimited || high_sent_ < std::max(limit, std::int64_t{1}))) {
    high_sent_ += counts_bytes ? bytes_by_vl[hi] : 1;
    high_ = high;
    charge(tables_->high, high_, bytes_by_vl[hi]);
    return hi;
  }
  if (lo >= 0) {
    high_sent_ = 0;
    low_ = low;
    charge(tables_->low, low_, bytes_by_vl[lo]);
    return lo;
  }
  return -1;
}

const VlArbitration& vl_tables(const Core& core, std::uint32_t port) {
  const Admission* admission = core.mechanisms.admission.get();
  const ConnectionTables* tables = admission != nullptr ? admission->tables() : nullptr;
  return tables != nullptr ? tables->of(PortId(port)) : core.settings.vl_arbitration;
}

Arbiter::Arbiter(const Core& core) : kind_(core.settings.arbiter) {
  const FabricSettings& settings = core.settings;
  for (std::uint32_t p = 0; p < core.graph.port_count(); ++p) {
    if (kind_ == ArbiterKind::vl_weighted) {
      vl_.emplace_back(vl_tables(core, p));
      next_input_.emplace_back();
    }
    if (kind_ == ArbiterKind::random)
      random_.emplace_back(settings.seed, p, StreamPurpose::arbitration);
  }
}

std::size_t Arbiter::choose(std::uint32_t port, std::uint16_t next_input,
                            const std::vector<Contender>& contenders) {
  switch (kind_) {
    case ArbiterKind::random:
      return random_[port].below(contenders.size());
    case ArbiterKind::vl_weighted:
      return vl_weighted(port, contenders);
    case ArbiterKind::first_come:
      return first_come(next_input, contenders);
    case ArbiterKind::round_robin:
      break;
  }
  std::size_t best = 0;
  const auto distance = [&](std::size_t i) {
    return static_cast<std::uint16_t>(contenders[i].request.input - next_input);
  };
  for (std::size_t i = 1; i < contenders.size(); ++i) {
    if (distance(i) < distance(best)) best = i;
  }
  return best;
}

std::size_t Arbiter::first_come(std::uint16_t next_input,
                                const std::vector<Contender>& contenders) const {
  // Ties go to the next input in turn, so that simultaneous arrivals do not favour low port
  // numbers.
  std::size_t best = 0;
  const auto key = [&](std::size_t i) {
    return std::tuple(contenders[i].arrived,
                      static_cast<std::uint16_t>(contenders[i].request.input - next_input));
  };
  for (std::size_t i = 1; i < contenders.size(); ++i) {
    if (key(i) < key(best)) best = i;
  }
  return best;
}

std::size_t Arbiter::vl_weighted(std::uint32_t port, const std::vector<Contender>& contenders) {
  std::size_t by_vl[16];
  std::uint32_t bytes_by_vl[16] = {};
  std::uint32_t sendable = 0;
  std::array<std::uint16_t, 16>& next_input = next_input_[port];
  const auto distance = [&](std::size_t i) {
    return static_cast<std::uint16_t>(contenders[i].request.input - next_input[contenders[i].vl]);
  };
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const unsigned vl = contenders[i].vl;
    if (((sendable >> vl) & 1U) == 0 || distance(i) < distance(by_vl[vl])) {
      by_vl[vl] = i;
      bytes_by_vl[vl] = contenders[i].size;
    }
    sendable |= 1U << vl;
  }
  const int vl = vl_[port].pick(sendable, bytes_by_vl);
  // A VL in neither table is never served; the fabric refuses such settings beforehand.
  if (vl < 0) return contenders.size();
  next_input[static_cast<std::size_t>(vl)] =
      static_cast<std::uint16_t>(contenders[by_vl[vl]].request.input + 1);
  return by_vl[vl];
}

void VlArbiter::checkpoint(StateArchive& state) { state(high_, low_, high_sent_); }

void Arbiter::checkpoint(NodeState& state) {
  state.of_ports(vl_);
  state.of_ports(next_input_);
  state.of_ports(random_);
}

}  // namespace weir::fabric
