#include "weir/traffic/incast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "weir/traffic/host_list.hpp"
#include "weir/traffic/streams.hpp"

namespace weir::traffic {

namespace {

constexpr double kMostIncastMessages = 1 << 25;

using K = IncastKeys;

/// Throws unless the file gives one of the members, and no more.
template <class First, class... Others>
void check_one_given(const Checked<K>& keys, First K::*first, Others K::*... others) {
  std::string given;
  const auto look = [&](auto member) {
    if (!keys.is_given(member)) return;
    if (!given.empty()) {
      throw keys.error(member, fmt::format("cannot stand beside '{}': give one of them", given));
    }
    given = keys.name_of(member);
  };
  look(first);
  (look(others), ...);
  if (!given.empty()) return;
  const std::vector<std::string> names{keys.name_of(first), keys.name_of(others)...};
  throw keys.error(first, fmt::format("is missing; give one of {}", fmt::join(names, ", ")));
}

std::vector<HostId> chosen_or_all(const Checked<K>& keys, std::optional<ConfigValue> K::*member,
                                  const TrafficContext& context) {
  if (!keys.is_given(member)) return all_hosts(context.graph);
  std::vector<HostId> hosts = read_host_set(keys, member, context.graph);
  if (hosts.empty()) throw keys.error(member, "is an empty list");
  return hosts;
}

/// Calls `visit` with `count` hosts of `pool`, which is put into another order, but not with
/// `left_out`.
template <class Visit>
void draw_some(std::vector<HostId>& pool, std::size_t count, HostId left_out, RandomStream& random,
               Visit visit) {
  for (std::size_t i = 0; count > 0; ++i) {
    std::swap(pool[i], pool[i + random.below(pool.size() - i)]);
    if (pool[i] == left_out) continue;
    visit(pool[i]);
    --count;
  }
}

}  // namespace

IncastWorkload::IncastWorkload(const TrafficEntry& entry, std::uint32_t index,
                               const TrafficContext& context)
    : keys_(*entry.incast), index_(index), context_(context), fan_in_(keys_->fan_in) {
  choose_hosts();
  set_size();
  set_times();
}

void IncastWorkload::choose_hosts() {
  senders_ = chosen_or_all(keys_, &K::senders, context_);
  destinations_ = chosen_or_all(keys_, &K::destinations, context_);
  for (const HostId destination : destinations_) {
    const std::size_t others = senders_.size() - (contains(senders_, destination) ? 1 : 0);
    if (fan_in_ <= others) continue;
    throw keys_.error(&K::fan_in,
                      fmt::format("is {}, more than the {} hosts that may send to host {}", fan_in_,
                                  others, destination.value));
  }
}

void IncastWorkload::set_size() {
  check_one_given(keys_, &K::size, &K::total);
  size_ = keys_->size ? *keys_->size
                      : Bytes((keys_->total->count - 1) / static_cast<std::int64_t>(fan_in_) + 1);
  if (size_.count <= std::numeric_limits<std::uint32_t>::max()) return;
  throw keys_.error(keys_->size ? &K::size : &K::total,
                    "is too large: a message has less than 4 GiB");
}

double IncastWorkload::bytes_per_ps(const std::vector<HostId>& hosts) const {
  double sum = 0;
  for (const HostId host : hosts) {
    const PortId port = context_.graph.host_port(host);
    sum += static_cast<double>(context_.graph.port(port).link.rate.count) / 8e12;
  }
  return sum;
}

InputError IncastWorkload::rate_error(const std::string& why) const {
  return keys_->load ? keys_.error(&K::load, why) : keys_.error(&K::interval, why);
}

void IncastWorkload::set_times() {
  check_one_given(keys_, &K::load, &K::interval, &K::times);
  if (!keys_->times) {
    const double bytes = static_cast<double>(fan_in_) * static_cast<double>(size_.count);
    interval_ = keys_->load ? bytes / (*keys_->load * bytes_per_ps(destinations_))
                            : static_cast<double>(keys_->interval->count);
    if (interval_ < 1) throw rate_error("asks for more than one incast a picosecond");
    if (!keys_->overload) check_links();
    return;
  }
  for (const std::string& text : *keys_->times) {
    try {
      times_.push_back(parse_time(text));
    } catch (const std::invalid_argument& problem) {
      throw keys_.error(&K::times, problem.what());
    }
  }
  std::sort(times_.begin(), times_.end());
}

void IncastWorkload::check_links() const {
  const double bytes = static_cast<double>(fan_in_) * static_cast<double>(size_.count) / interval_;
  const auto check = [&](const std::vector<HostId>& hosts, const char* what) {
    for (const HostId host : hosts) {
      const double offered = bytes / static_cast<double>(hosts.size()) / bytes_per_ps({host});
      if (offered <= 1 + kLoadRounding) continue;
      throw rate_error(
          fmt::format("offers the link of {} {} {:.4g} times what it carries; overload = true "
                      "allows that",
                      what, host.value, offered));
    }
  };
  check(destinations_, "destination");
  check(senders_, "sender");
}

std::vector<Time> IncastWorkload::epochs(Time span) const {
  if (interval_ <= 0) return times_;
  const double most = static_cast<double>(span.count) / interval_ * static_cast<double>(fan_in_);
  if (most > kMostIncastMessages) {
    throw rate_error(fmt::format("makes about {:.2g} messages in {}; at most {:.2g} are possible",
                                 most, to_string(span), kMostIncastMessages));
  }
  const bool is_poisson = keys_->is_poisson;
  RandomStream random(context_.seed, placement_entity(index_, EntryChoice::incast_times),
                      StreamPurpose::placement);
  std::vector<Time> all;
  double at = is_poisson ? random.exponential(interval_) : 0;
  for (; at < static_cast<double>(span.count);
       at += is_poisson ? random.exponential(interval_) : interval_) {
    all.emplace_back(static_cast<std::int64_t>(at));
  }
  return all;
}

Trace IncastWorkload::messages(Time span) const {
  RandomStream random(context_.seed, placement_entity(index_, EntryChoice::incast_hosts),
                      StreamPurpose::placement);
  const auto within = static_cast<double>(keys_->within.count);
  std::vector<HostId> pool = senders_;
  std::vector<std::uint32_t> sources;
  std::vector<Trace::Record> records;
  for (const Time epoch : epochs(span)) {
    if (epoch >= span) break;
    const HostId destination = destinations_[random.below(destinations_.size())];
    draw_some(pool, fan_in_, destination, random, [&](HostId sender) {
      const Time at = within > 0 ? later(epoch, random.unit() * within) : epoch;
      if (at >= span) return;
      sources.push_back(sender.value);
      records.push_back({at.count, destination.value, static_cast<std::uint32_t>(size_.count)});
    });
  }
  return {context_.graph.host_count(), sources, records};
}

const Keys<IncastKeys>& incast_keys() {
  static const Keys<K> keys{
      key(&K::fan_in, "fan_in", "number of hosts that send in an incast")
          .required()
          .range(1, 1 << 24),
      key(&K::senders, "senders",
          "hosts of which the senders of an incast are drawn (default: all)"),
      key(&K::destinations, "destinations",
          "hosts of which the destination of an incast is drawn; one host: always that one "
          "(default: all)"),
      key(&K::size, "size", "payload of each sender's message").at_least(1),
      key(&K::total, "total", "payload of all messages of an incast together, in place of `size`")
          .at_least(1),
      key(&K::load, "load",
          "payload offered to the links of all possible destinations together, as a share of what "
          "they can carry")
          .range(1e-9, 1000),
      key(&K::interval, "interval", "mean time between two incasts, in place of `load`")
          .at_least(1),
      key(&K::times, "times",
          "times of the incasts from the start of the traffic on, as in [\"0 us\", \"50 us\"], in "
          "place of `load`"),
      choice(&K::is_poisson, "epochs",
             "times between incasts: poisson, exponential; constant, all the same, the first "
             "incast at the start",
             {{"poisson", true}, {"constant", false}}),
      key(&K::within, "within",
          "time after an incast in which each of its senders begins at random; 0: all at once"),
      key(&K::overload, "overload",
          "whether a destination or sender may be offered more than its link can carry")};
  return keys;
}

}  // namespace weir::traffic
