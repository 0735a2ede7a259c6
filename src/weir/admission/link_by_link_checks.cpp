#include <vector>

#include <fmt/format.h>

#include "weir/admission/link_by_link.hpp"

namespace weir::admission {

void LinkByLink::check(bool is_idle) const {
  std::vector<std::int64_t> counted(reserved_.size(), 0);
  for_each([&](const Connection& c) {
    const fabric::ConnectionRequest& request = c.asked.request;
    for (std::size_t hop = 0; hop < c.hops(); ++hop) {
      if (c.holds[hop] == 0) continue;
      counted[index(c.asked.links[hop], level_of(request.service_level))] += request.rate;
    }
  });
  const std::size_t levels = settings_.budgets.size();
  for (std::size_t i = 0; i < reserved_.size(); ++i) {
    const auto where = [&] {
      return fmt::format("{}, {}", context_.graph->name(PortId(i / levels)),
                         settings_.is_one_for_all ? std::string("all service levels")
                                                  : fmt::format("service level {}", i % levels));
    };
    if (reserved_[i] != counted[i]) {
      throw RunError(
          fmt::format("admission control: {} has {} B/s reserved, but its connections hold {} B/s",
                      where(), reserved_[i], counted[i]));
    }
    if (reserved_[i] < 0 || (reserved_[i] > 0 && reserved_[i] >= budgets_[i])) {
      throw RunError(fmt::format("admission control: {} has {} B/s reserved of a budget of {} B/s",
                                 where(), reserved_[i], budgets_[i]));
    }
    if (is_idle && reserved_[i] != 0) {
      throw RunError(fmt::format(
          "admission control: {} has {} B/s reserved, though all connections have ended", where(),
          reserved_[i]));
    }
  }
  if (tables_) check_tables();
}

void LinkByLink::check_tables() const {
  std::vector<int> counted(context_.graph->port_count() * kDataVls, 0);
  for_each([&](const Connection& c) {
    for (std::size_t hop = 0; hop < c.hops() && is_in_table(c); ++hop)
      counted[std::size_t{c.asked.links[hop]} * kDataVls + c.asked.vl] += c.holds[hop];
  });
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const PortId port(i / kDataVls);
    const auto vl = static_cast<std::uint16_t>(i % kDataVls);
    const int known = tables_->connections(port, vl);
    if (known == counted[i]) continue;
    throw RunError(fmt::format(
        "admission control: the table of {} has {} connections of VL {}, and {} hold a place in it",
        context_.graph->name(port), known, vl, counted[i]));
  }
}

std::size_t LinkByLink::memory() const {
  std::size_t sum = (budgets_.capacity() + reserved_.capacity()) * sizeof(std::int64_t) +
                    own_.capacity() * sizeof(OfHost) + guests_.size() * sizeof(Connection) +
                    ending_.size() * 4 * sizeof(std::uint64_t);
  for (const OfHost& host : own_) sum += host.all.size() * sizeof(Connection);
  for_each([&](const Connection& c) {
    sum += (c.asked.links.capacity() + c.places.capacity()) * sizeof(std::uint32_t) +
           c.holds.capacity();
  });
  return sum + (tables_ ? tables_->memory() : 0);
}

}  // namespace weir::admission
