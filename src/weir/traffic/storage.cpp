#include "weir/traffic/storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "weir/traffic/arrival.hpp"
#include "weir/traffic/host_list.hpp"
#include "weir/traffic/streams.hpp"

namespace weir::traffic {
namespace {

/// 24 B each while they are made, 16 B then.
constexpr double kMostMessages = 1 << 25;

double tail_of(const Settings& settings, const char* key) {
  const double tail = settings.real(key);
  if (tail > 1) return tail;
  throw settings.error(
      key, fmt::format("must be more than 1, not {}: a Pareto law has no mean otherwise", tail));
}

double mean_payload(const SizeDistribution& sizes, const Settings& settings) {
  for (const SizeDistribution::Outcome& outcome : sizes.outcomes()) {
    if (outcome.size.count > std::numeric_limits<std::uint32_t>::max()) {
      throw settings.error("sizes", "are too large: a message has less than 4 GiB");
    }
  }
  return mean_size(sizes, Bytes::max(), Bytes(0)).payload;
}

std::string readable(double ps) { return fmt::format("{:.4g} us", ps / 1e6); }

}  // namespace

/// Messages in the order in which they are made.
struct StorageWorkload::Draft {
  std::vector<std::uint32_t> sources;
  std::vector<Trace::Record> records;

  void add(HostId source, std::int64_t time, HostId destination, Bytes size) {
    sources.push_back(source.value);
    records.push_back({time, destination.value, static_cast<std::uint32_t>(size.count)});
  }
};

StorageWorkload::StorageWorkload(const TrafficEntry& entry, std::uint32_t index,
                                 const TrafficContext& context)
    : entry_(entry),
      settings_(*entry.storage),
      index_(index),
      context_(context),
      sizes_((*entry.sizes->make)(entry.sizes->settings)),
      compression_(settings_.real("compression")),
      reads_(settings_.real("reads")) {
  choose_hosts();
  rank_disks();
  set_rate();
  set_bursts();
}

void StorageWorkload::choose_hosts() {
  const std::size_t all = context_.graph.host_count();
  if (all < 2) throw settings_.error("disks", "need a network of at least two hosts");
  const ConfigValue& disks = settings_.raw("disks");
  if (disks.is_real()) {
    const double share = std::get<double>(disks.data);
    if (!(share >= 0 && share <= 1)) {
      throw settings_.error("disks", fmt::format("must be between 0 and 1, not {}", share));
    }
    const auto count = static_cast<std::size_t>(std::llround(share * static_cast<double>(all)));
    for (std::size_t h = all - count; h < all; ++h) disks_.emplace_back(h);
    if (disks_.empty()) {
      throw settings_.error("disks", fmt::format("{} of {} hosts is no disk", share, all));
    }
  } else if (disks.is_array()) {
    disks_ = read_host_set(settings_, "disks", context_.graph, entry_.where + ".storage");
    if (disks_.empty()) throw settings_.error("disks", "is an empty list");
  } else {
    throw settings_.error("disks",
                          fmt::format("must be a share of the hosts, as in 0.25, or a list of "
                                      "hosts, not {}",
                                      disks.kind_name()));
  }
  if (!settings_.has("hosts")) {
    hosts_ = without(all_hosts(context_.graph), disks_);
    if (hosts_.empty()) throw settings_.error("disks", "leave no host that makes I/Os");
    return;
  }
  hosts_ = read_host_set(settings_, "hosts", context_.graph, entry_.where + ".storage");
  if (hosts_.empty()) throw settings_.error("hosts", "is an empty list");
  for (const HostId host : hosts_) {
    if (!contains(disks_, host)) continue;
    throw settings_.error("hosts", fmt::format("host {} is a disk", host.value));
  }
}

void StorageWorkload::rank_disks() {
  RandomStream random(context_.seed, placement_entity(index_, EntryChoice::disks),
                      StreamPurpose::placement);
  for (std::size_t k = disks_.size(); k > 1; --k) {
    std::swap(disks_[k - 1], disks_[random.below(k)]);
  }
  const double exponent = settings_.real("zipf");
  double sum = 0;
  for (std::size_t k = 1; k <= disks_.size(); ++k) {
    sum += std::pow(static_cast<double>(k), -exponent);
    cumulative_.push_back(sum);
  }
  for (double& share : cumulative_) share /= sum;
  cumulative_.back() = 1;
}

double StorageWorkload::bytes_per_ps(HostId host) const {
  const topology::Graph& graph = context_.graph;
  return static_cast<double>(graph.port(graph.host_port(host)).link.rate.count) / 8e12;
}

void StorageWorkload::set_rate() {
  const double payload = mean_payload(*sizes_, settings_);
  const auto request = static_cast<double>(settings_.bytes("request").count);
  busier_ = std::max(reads_ * payload, (1 - reads_) * payload + reads_ * request);
  double carried = 0;
  for (const HostId disk : disks_) carried += bytes_per_ps(disk);
  const double ios = settings_.real("load") * carried / busier_;
  if (!settings_.boolean("overload")) check_links(ios);
  interval_ = static_cast<double>(hosts_.size()) / ios;
}

/// `ios`: of all hosts, per ps.
void StorageWorkload::check_links(double ios) const {
  const auto check = [&](HostId host, const char* what, double share) {
    const double offered = share * ios * busier_ / bytes_per_ps(host);
    if (offered <= 1 + kLoadRounding) return;
    throw settings_.error(
        "load",
        fmt::format("offers the link of {} {} with {:.2g} % of the I/Os {:.4g} times what it "
                    "carries; overload = true allows that",
                    what, host.value, share * 100, offered));
  };
  for (std::size_t k = 0; k < disks_.size(); ++k) {
    check(disks_[k], "disk", cumulative_[k] - (k > 0 ? cumulative_[k - 1] : 0));
  }
  for (const HostId host : hosts_) check(host, "host", 1 / static_cast<double>(hosts_.size()));
}

void StorageWorkload::set_bursts() {
  const double cap = settings_.real("cap");
  const BoundedPareto burst(settings_.real("burst"), tail_of(settings_, "burst_tail"), cap);
  if (burst.least() < 1) {
    throw settings_.error("burst", fmt::format("is too small: with this tail and cap the shortest "
                                               "burst has {:.2g} of the mean, and must have an I/O",
                                               burst.least() / burst.mean()));
  }
  const auto gap = static_cast<double>(settings_.time("gap").count);
  const double busy = (burst.mean() - 1) * gap;
  const double cycle = burst.mean() * interval_ * compression_;
  if (cycle - busy <= 0) {
    throw settings_.error(
        "load",
        fmt::format("leaves no time between bursts: a host makes an I/O every {} on average, "
                    "and in a burst every {}; take a smaller gap or a compression of more "
                    "than {:.4g}",
                    readable(interval_), readable(gap / compression_),
                    compression_ * busy / cycle));
  }
  const BoundedPareto idle(cycle - busy, tail_of(settings_, "idle_tail"), cap);
  law_ = std::make_shared<const BurstLaw>(BurstLaw{burst, idle, gap});
  const double service = static_cast<double>(settings_.time("service").count) / compression_;
  if (service >= static_cast<double>(Time::max().count)) {
    throw settings_.error("service", "is too long after compression");
  }
  service_ = Time(std::llround(service));
}

std::vector<HostId> StorageWorkload::senders() const {
  std::vector<HostId> all = hosts_;
  if (reads_ > 0) all.insert(all.end(), disks_.begin(), disks_.end());
  std::sort(all.begin(), all.end());
  return all;
}

HostId StorageWorkload::draw_disk(RandomStream& random) const {
  const auto it = std::upper_bound(cumulative_.begin(), cumulative_.end(), random.unit());
  return disks_[static_cast<std::size_t>(it - cumulative_.begin())];
}

void StorageWorkload::check_count(double messages, Time span) const {
  if (messages <= kMostMessages) return;
  throw settings_.error(
      "load", fmt::format("makes about {:.2g} messages in {}; at most {:.2g} are possible",
                          messages, to_string(span), kMostMessages));
}

/// Begins a service time before 0, so that data of earlier reads come from 0 on.
void StorageWorkload::add_host(HostId host, Time span, Draft& draft) const {
  const std::uint32_t entity = source_entity(index_, host);
  IoTimes times(*law_, RandomStream(context_.seed, entity, StreamPurpose::arrivals));
  RandomStream destinations(context_.seed, entity, StreamPurpose::destinations);
  RandomStream sizes(context_.seed, entity, StreamPurpose::sizes);
  while (true) {
    const double served = times.next() / compression_;
    if (served >= static_cast<double>(span.count) + static_cast<double>(service_.count)) return;
    const std::int64_t data_at = std::llround(served);
    const std::int64_t at = data_at - service_.count;
    const HostId disk = draw_disk(destinations);
    const Bytes size = sizes_->draw(sizes);
    const bool is_read = sizes.unit() < reads_;
    const bool is_in_span = at >= 0 && at < span.count;
    if (is_in_span && !is_read) draft.add(host, at, disk, size);
    if (is_in_span && is_read) draft.add(host, at, disk, settings_.bytes("request"));
    if (is_read && data_at < span.count) draft.add(disk, data_at, host, size);
  }
}

Trace StorageWorkload::messages(Time span) const {
  Draft draft;
  if (span > Time(0)) {
    const double ios =
        static_cast<double>(span.count) / interval_ * static_cast<double>(hosts_.size());
    check_count(ios * (1 + reads_), span);
    for (const HostId host : hosts_) {
      add_host(host, span, draft);
      check_count(static_cast<double>(draft.records.size()), span);
    }
  }
  return {context_.graph.host_count(), draft.sources, draft.records};
}

}  // namespace weir::traffic
