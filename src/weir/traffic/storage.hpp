#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/traffic/io_times.hpp"
#include "weir/traffic/trace.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

/// Storage traffic as an open loop: bursts of I/Os of hosts to disks. A synthetic substitute for
/// disk traces, which are not public; it has their coarse features (bursts with heavy tails, small
/// requests and large data, popular disks, time compression) and claims no more.
/// Source: lippens2010, section 5.1; what that leaves open is said here.
///
/// * An I/O of a host goes to a disk drawn by Zipf's law over an order of popularity that the seed
///   decides, the same for all hosts. A read is a small request to the disk and its data back,
///   `service` later whatever the network did with the request; a write is its data to the disk.
/// * Bursts and idle times: IoTimes.
/// * `load`: what all disks' links together are offered in their busier direction (that of the
///   reads' data, or of the writes' and the requests), as a share of what they carry; payload. Not
///   of every node's link: each byte begins or ends at a disk, so that a quarter of the nodes being
///   disks, three quarters cannot be loaded so. It holds in expectation at every time; single runs
///   are far from it as long as heavy tails are long.
/// * `compression` divides all times. The load is that *after* compression, so that it is what the
///   network sees: load L and compression c is the workload of load L / c, c times as fast. What
///   compression changes at a given load is how dense bursts are: gap and service are said before
///   it, and idle times make up for them.
class StorageWorkload {
 public:
  /// `entry` has `storage`; `index` is its number. Throws InputError where the network has no such
  /// hosts or disks, or the load cannot be offered.
  StorageWorkload(const TrafficEntry& entry, std::uint32_t index, const TrafficContext& context);

  [[nodiscard]] const std::vector<HostId>& hosts() const { return hosts_; }
  /// The most popular first.
  [[nodiscard]] const std::vector<HostId>& disks() const { return disks_; }
  /// Share of the I/Os that go to the disks up to that one.
  [[nodiscard]] const std::vector<double>& cumulative_shares() const { return cumulative_; }
  /// Hosts that may send: all hosts, and disks where there are reads; ascending.
  [[nodiscard]] std::vector<HostId> senders() const;
  /// Times before compression.
  [[nodiscard]] const BurstLaw& law() const { return *law_; }
  /// Mean time between two I/Os of a host, ps after compression.
  [[nodiscard]] double interval() const { return interval_; }
  /// From a read's request to its data, after compression.
  [[nodiscard]] Time service() const { return service_; }

  /// All messages from time 0 until before `span`. A longer span does not change those of a shorter
  /// one. Throws InputError when they are more than memory should hold.
  [[nodiscard]] Trace messages(Time span) const;

 private:
  struct Draft;

  void choose_hosts();
  void rank_disks();
  void set_rate();
  void check_links(double ios) const;
  void set_bursts();
  void add_host(HostId host, Time span, Draft& draft) const;
  [[nodiscard]] HostId draw_disk(RandomStream& random) const;
  [[nodiscard]] double bytes_per_ps(HostId host) const;
  void check_count(double messages, Time span) const;

  const Checked<StorageKeys>& keys_;
  std::uint32_t index_;
  const TrafficContext& context_;
  std::shared_ptr<const SizeDistribution> sizes_;
  std::vector<HostId> hosts_;
  std::vector<HostId> disks_;
  std::vector<double> cumulative_;
  double busier_ = 0;  ///< bytes of a mean I/O at a disk's link, in the busier direction
  double interval_ = 0;
  Time service_;
  std::shared_ptr<const BurstLaw> law_;
};

}  // namespace weir::traffic
