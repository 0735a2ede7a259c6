#pragma once

#include <cstdint>
#include <vector>

#include "weir/traffic/trace.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

/// Incasts by fan-in: again and again `fan_in` hosts, drawn anew, send a message each to one host,
/// drawn anew unless there is only one to choose from. The senders of an incast are distinct and
/// never the destination; all sets of them are equally likely. With `within` each sender begins at
/// a random time after the incast does.
/// Source: li2019hpcc, section 5.1 (random senders to a random receiver, at a share of the
/// network's capacity); alizadeh2010dctcp, section 4.2 (a request of a given total from n servers).
class IncastWorkload {
 public:
  /// `entry` has `incast`; `index` is its number. Throws InputError where there are too few senders
  /// or the load cannot be offered.
  IncastWorkload(const TrafficEntry& entry, std::uint32_t index, const TrafficContext& context);

  /// Hosts that may send, and those that one may send to; ascending.
  [[nodiscard]] const std::vector<HostId>& senders() const { return senders_; }
  [[nodiscard]] const std::vector<HostId>& destinations() const { return destinations_; }
  /// Payload of a sender's message: `size`, or the sender's part of `total`, rounded up.
  [[nodiscard]] Bytes size() const { return size_; }
  /// Mean time between two incasts in ps; 0 where their times are given.
  [[nodiscard]] double interval() const { return interval_; }

  /// All messages from time 0 until before `span`. A longer span does not change those of a shorter
  /// one. Throws InputError when they are more than memory should hold.
  [[nodiscard]] Trace messages(Time span) const;

 private:
  struct Draft;

  void choose_hosts();
  void set_size();
  void set_times();
  void check_links() const;
  /// At the key that says how many incasts there are.
  [[nodiscard]] InputError rate_error(const std::string& why) const;
  [[nodiscard]] double bytes_per_ps(const std::vector<HostId>& hosts) const;
  [[nodiscard]] std::vector<Time> epochs(Time span) const;

  const Checked<IncastKeys>& keys_;
  std::uint32_t index_;
  const TrafficContext& context_;
  std::size_t fan_in_;
  std::vector<HostId> senders_;
  std::vector<HostId> destinations_;
  Bytes size_;
  double interval_ = 0;
  std::vector<Time> times_;  ///< where they are given
};

}  // namespace weir::traffic
