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

using S = StorageKeys;

double tail_of(const Checked<S>& keys, double S::*member) {
  const double tail = (*keys).*member;
  if (tail > 1) return tail;
  throw keys.error(
      member, fmt::format("must be more than 1, not {}: a Pareto law has no mean otherwise", tail));
}

double mean_payload(const SizeDistribution& sizes, const Checked<S>& keys) {
  for (const SizeDistribution::Outcome& outcome : sizes.outcomes()) {
    if (outcome.size.count > std::numeric_limits<std::uint32_t>::max()) {
      throw keys.error(&S::sizes, "are too large: a message has less than 4 GiB");
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
    : keys_(*entry.storage),
      index_(index),
      context_(context),
      sizes_((*entry.sizes->make)(entry.sizes->settings)) {
  choose_hosts();
  rank_disks();
  set_rate();
  set_bursts();
}

void StorageWorkload::choose_hosts() {
  const std::size_t all = context_.graph.host_count();
  if (all < 2) throw keys_.error(&S::disks, "need a network of at least two hosts");
  const ConfigValue& disks = keys_->disks;
  if (disks.is_real()) {
    const double share = std::get<double>(disks.data);
    if (!(share >= 0 && share <= 1)) {
      throw keys_.error(&S::disks, fmt::format("must be between 0 and 1, not {}", share));
    }
    const auto count = static_cast<std::size_t>(std::llround(share * static_cast<double>(all)));
    for (std::size_t h = all - count; h < all; ++h) disks_.emplace_back(h);
    if (disks_.empty()) {
      throw keys_.error(&S::disks, fmt::format("{} of {} hosts is no disk", share, all));
    }
  } else if (disks.is_array()) {
    disks_ = read_host_set(disks, context_.graph, keys_.path_to(&S::disks));
    if (disks_.empty()) throw keys_.error(&S::disks, "is an empty list");
  } else {
    throw keys_.error(&S::disks,
                      fmt::format("must be a share of the hosts, as in 0.25, or a list of "
                                  "hosts, not {}",
                                  disks.kind_name()));
  }
  if (!keys_->hosts) {
    hosts_ = without(all_hosts(context_.graph), disks_);
    if (hosts_.empty()) throw keys_.error(&S::disks, "leave no host that makes I/Os");
    return;
  }
  hosts_ = read_host_set(keys_, &S::hosts, context_.graph);
  if (hosts_.empty()) throw keys_.error(&S::hosts, "is an empty list");
  for (const HostId host : hosts_) {
    if (!contains(disks_, host)) continue;
    throw keys_.error(&S::hosts, fmt::format("host {} is a disk", host.value));
  }
}

void StorageWorkload::rank_disks() {
  RandomStream random(context_.seed, placement_entity(index_, EntryChoice::disks),
                      StreamPurpose::placement);
  for (std::size_t k = disks_.size(); k > 1; --k) {
    std::swap(disks_[k - 1], disks_[random.below(k)]);
  }
  const double exponent = keys_->zipf;
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
  const double payload = mean_payload(*sizes_, keys_);
  const auto request = static_cast<double>(keys_->request.count);
  busier_ = std::max(keys_->reads * payload, (1 - keys_->reads) * payload + keys_->reads * request);
  double carried = 0;
  for (const HostId disk : disks_) carried += bytes_per_ps(disk);
  const double ios = keys_->load * carried / busier_;
  if (!keys_->overload) check_links(ios);
  interval_ = static_cast<double>(hosts_.size()) / ios;
}

/// `ios`: of all hosts, per ps.
void StorageWorkload::check_links(double ios) const {
  const auto check = [&](HostId host, const char* what, double share) {
    const double offered = share * ios * busier_ / bytes_per_ps(host);
    if (offered <= 1 + kLoadRounding) return;
    throw keys_.error(
        &S::load,
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
  const double cap = keys_->cap;
  const BoundedPareto burst(keys_->burst, tail_of(keys_, &S::burst_tail), cap);
  if (burst.least() < 1) {
    throw keys_.error(&S::burst, fmt::format("is too small: with this tail and cap the shortest "
                                             "burst has {:.2g} of the mean, and must have an I/O",
                                             burst.least() / burst.mean()));
  }
  const auto gap = static_cast<double>(keys_->gap.count);
  const double busy = (burst.mean() - 1) * gap;
  const double cycle = burst.mean() * interval_ * keys_->compression;
  if (cycle - busy <= 0) {
    throw keys_.error(
        &S::load,
        fmt::format("leaves no time between bursts: a host makes an I/O every {} on average, "
                    "and in a burst every {}; take a smaller gap or a compression of more "
                    "than {:.4g}",
                    readable(interval_), readable(gap / keys_->compression),
                    keys_->compression * busy / cycle));
  }
  const BoundedPareto idle(cycle - busy, tail_of(keys_, &S::idle_tail), cap);
  law_ = std::make_shared<const BurstLaw>(BurstLaw{burst, idle, gap});
  const double service = static_cast<double>(keys_->service.count) / keys_->compression;
  if (service >= static_cast<double>(Time::max().count)) {
    throw keys_.error(&S::service, "is too long after compression");
  }
  service_ = Time(std::llround(service));
}

std::vector<HostId> StorageWorkload::senders() const {
  std::vector<HostId> all = hosts_;
  if (keys_->reads > 0) all.insert(all.end(), disks_.begin(), disks_.end());
  std::sort(all.begin(), all.end());
  return all;
}

HostId StorageWorkload::draw_disk(RandomStream& random) const {
  const auto it = std::upper_bound(cumulative_.begin(), cumulative_.end(), random.unit());
  return disks_[static_cast<std::size_t>(it - cumulative_.begin())];
}

void StorageWorkload::check_count(double messages, Time span) const {
  if (messages <= kMostMessages) return;
  throw keys_.error(&S::load,
                    fmt::format("makes about {:.2g} messages in {}; at most {:.2g} are possible",
                                messages, to_string(span), kMostMessages));
}

/// Begins a service time before 0, so that data of earlier reads come from 0 on.
void StorageWorkload::add_host(HostId host, Time span, Draft& draft) const {
  const std::uint32_t entity = source_entity(index_, host);
  IoTimes times(*law_, RandomStream(context_.seed, entity, StreamPurpose::arrivals));
  RandomStream destinations(context_.seed, entity, StreamPurpose::destinations);
  RandomStream sizes(context_.seed, entity, StreamPurpose::sizes);
  while (true) {
    const double served = times.next() / keys_->compression;
    if (served >= static_cast<double>(span.count) + static_cast<double>(service_.count)) return;
    const std::int64_t data_at = std::llround(served);
    const std::int64_t at = data_at - service_.count;
    const HostId disk = draw_disk(destinations);
    const Bytes size = sizes_->draw(sizes);
    const bool is_read = sizes.unit() < keys_->reads;
    const bool is_in_span = at >= 0 && at < span.count;
    if (is_in_span && !is_read) draft.add(host, at, disk, size);
    if (is_in_span && is_read) draft.add(host, at, disk, keys_->request);
    if (is_read && data_at < span.count) draft.add(disk, data_at, host, size);
  }
}

Trace StorageWorkload::messages(Time span) const {
  Draft draft;
  if (span > Time(0)) {
    const double ios =
        static_cast<double>(span.count) / interval_ * static_cast<double>(hosts_.size());
    check_count(ios * (1 + keys_->reads), span);
    for (const HostId host : hosts_) {
      add_host(host, span, draft);
      check_count(static_cast<double>(draft.records.size()), span);
    }
  }
  return {context_.graph.host_count(), draft.sources, draft.records};
}

}  // namespace weir::traffic
