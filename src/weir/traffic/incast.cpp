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

/// The one of `keys` that is given. Throws where none or several are.
std::string the_one_given(const Settings& settings, const std::vector<std::string>& keys) {
  std::string given;
  for (const std::string& key : keys) {
    if (!settings.has(key)) continue;
    if (!given.empty()) {
      throw settings.error(key, fmt::format("cannot stand beside '{}': give one of them", given));
    }
    given = key;
  }
  if (!given.empty()) return given;
  throw settings.error(keys.front(),
                       fmt::format("is missing; give one of {}", fmt::join(keys, ", ")));
}

std::vector<HostId> chosen_or_all(const Settings& settings, const std::string& key,
                                  const TrafficContext& context, const std::string& where) {
  if (!settings.has(key)) return all_hosts(context.graph);
  std::vector<HostId> hosts = read_host_set(settings, key, context.graph, where);
  if (hosts.empty()) throw settings.error(key, "is an empty list");
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
    : entry_(entry),
      settings_(*entry.incast),
      index_(index),
      context_(context),
      fan_in_(static_cast<std::size_t>(settings_.integer("fan_in"))) {
  choose_hosts();
  set_size();
  set_times();
}

void IncastWorkload::choose_hosts() {
  const std::string where = entry_.where + ".incast";
  senders_ = chosen_or_all(settings_, "senders", context_, where);
  destinations_ = chosen_or_all(settings_, "destinations", context_, where);
  for (const HostId destination : destinations_) {
    const std::size_t others = senders_.size() - (contains(senders_, destination) ? 1 : 0);
    if (fan_in_ <= others) continue;
    throw settings_.error(
        "fan_in", fmt::format("is {}, more than the {} hosts that may send to host {}", fan_in_,
                              others, destination.value));
  }
}

void IncastWorkload::set_size() {
  const std::string key = the_one_given(settings_, {"size", "total"});
  const auto parts = static_cast<std::int64_t>(key == "total" ? fan_in_ : 1);
  size_ = Bytes((settings_.bytes(key).count - 1) / parts + 1);
  if (size_.count > std::numeric_limits<std::uint32_t>::max()) {
    throw settings_.error(key, "is too large: a message has less than 4 GiB");
  }
}

double IncastWorkload::bytes_per_ps(const std::vector<HostId>& hosts) const {
  double sum = 0;
  for (const HostId host : hosts) {
    const PortId port = context_.graph.host_port(host);
    sum += static_cast<double>(context_.graph.port(port).link.rate.count) / 8e12;
  }
  return sum;
}

void IncastWorkload::set_times() {
  const std::string key = the_one_given(settings_, {"load", "interval", "times"});
  const double bytes = static_cast<double>(fan_in_) * static_cast<double>(size_.count);
  if (key == "load") interval_ = bytes / (settings_.real("load") * bytes_per_ps(destinations_));
  if (key == "interval") interval_ = static_cast<double>(settings_.time("interval").count);
  if (key != "times") {
    if (interval_ < 1) throw settings_.error(key, "asks for more than one incast a picosecond");
    if (!settings_.boolean("overload")) check_links();
    return;
  }
  for (const std::string& text : settings_.texts("times")) {
    try {
      times_.push_back(parse_time(text));
    } catch (const std::invalid_argument& problem) {
      throw settings_.error("times", problem.what());
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
      throw settings_.error(
          settings_.has("load") ? "load" : "interval",
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
    throw settings_.error(
        settings_.has("load") ? "load" : "interval",
        fmt::format("makes about {:.2g} messages in {}; at most {:.2g} are possible", most,
                    to_string(span), kMostIncastMessages));
  }
  const bool is_poisson = settings_.text("epochs") == "poisson";
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
  const auto within = static_cast<double>(settings_.time("within").count);
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

const std::vector<Parameter>& incast_parameters() {
  using Type = ParameterType;
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::integer, "fan_in", "number of hosts that send in an incast")
          .required()
          .range(1, 1 << 24),
      Parameter::of(Type::any, "senders",
                    "hosts of which the senders of an incast are drawn (default: all)"),
      Parameter::of(Type::any, "destinations",
                    "hosts of which the destination of an incast is drawn; one host: always that "
                    "one (default: all)"),
      Parameter::of(Type::bytes, "size", "payload of each sender's message").at_least(1),
      Parameter::of(Type::bytes, "total",
                    "payload of all messages of an incast together, in place of `size`")
          .at_least(1),
      Parameter::of(Type::real, "load",
                    "payload offered to the links of all possible destinations together, as a "
                    "share of what they can carry")
          .range(1e-9, 1000),
      Parameter::of(Type::time, "interval", "mean time between two incasts, in place of `load`")
          .at_least(1),
      Parameter::of(Type::texts, "times",
                    "times of the incasts from the start of the traffic on, as in [\"0 us\", \"50 "
                    "us\"], in place of `load`"),
      Parameter::of(Type::text, "epochs",
                    "times between incasts: poisson, exponential; constant, all the same, the "
                    "first incast at the start")
          .by_default("poisson")
          .one_of({"poisson", "constant"}),
      Parameter::of(Type::time, "within",
                    "time after an incast in which each of its senders begins at random; 0: all at "
                    "once")
          .by_default("0 ps"),
      Parameter::of(Type::boolean, "overload",
                    "whether a destination or sender may be offered more than its link can carry")
          .by_default("false")};
  return parameters;
}

}  // namespace weir::traffic
