#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/hooks/views.hpp"

namespace weir::injection {

/// What injection schemes whose flows have rates share: the flows of every host, what is known of
/// their past, and when they come and go (zdornov2009, section 5.2).
///
/// Every flow has a virtual tag that grows by size / rate with each packet; with constant rates
/// that is D / r. A flow that comes back after a while without packets, or without a rate, starts
/// at the least tag of the flows of its host that have some, so that it makes up for nothing.
/// Times are doubles in ps: a rate is kept exactly in the long run although packets leave at
/// whole picoseconds.
///
/// Packets that keep no rate, and those of flows that never had one, go when no controlled one may.
/// What they and ACKs take of the host's link does not count as back-pressure: a controlled packet
/// that had to wait until such a packet had left is counted as if it had gone when the link would
/// have been free without it, so that flows keep their rates beside any other traffic. So is one
/// that has to let packets of other VLs go first, but for no longer than a turn of the arbitration
/// tables: whose rates are more than these leave them loses the rest for good.
class FlowInjection : public fabric::Injection {
 public:
  /// With `random_phase` hosts, or flows, begin at random within the time of their first packet.
  explicit FlowInjection(bool random_phase) : random_phase_(random_phase) {}

  void attach(const fabric::FabricView& fabric) override;
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool ranks_flows() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override;
  bool set_rate(const fabric::ConnectionName& connection, Rate rate, Time now) override;
  void count_rated() override { ++order_; }
  void on_waiting(const fabric::Message& message, Time now) override;
  void on_empty(const fabric::Message& message, Time now) override;
  void on_injected(HostId host, const fabric::Packet& packet, const fabric::Message& message,
                   Time now) override;
  void on_ack(HostId host, Time now, Time end) override;
  void on_passed(HostId host, Time ready, Time now) override;
  [[nodiscard]] fabric::FlowRank rank(const fabric::Message& message, Time now) final;

 protected:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  struct RatedFlow {
    double rate = 0;          ///< bytes per ps
    double tag = 0;           ///< ps at rate 1: the sum of size / rate
    double base = 0;          ///< since then the flow waits for its next packet
    double size = 0;          ///< bytes that it waits for, at its rate
    std::int64_t empty = 0;   ///< since then it has had no packets
    std::uint32_t next = 0;   ///< of the same host
    std::uint32_t order = 0;  ///< among those of all hosts, by first rate
    bool is_waiting = false;  ///< has packets
    bool is_new = true;       ///< never had any
  };
  struct Host {
    double rate = 0;         ///< sum over its flows that have packets, at most that of its link
    double base = 0;         ///< since then it waits
    double size = 0;         ///< bytes that it still waits for
    double link = 0;         ///< rate of its link
    double longest_lag = 0;  ///< that is made up for when other VLs have gone first
    double lag = 0;          ///< ps that its controlled packets are late because of other ones
    double other_from = 0;   ///< the last other packet on the link, with the ACKs right behind it
    double other_until = 0;
    bool other_is_acks = false;  ///< nothing but ACKs
    bool is_passed = false;      ///< the next packet is not controlled, and one that is could go
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    bool is_new = true;
    bool has_packets = false;  ///< of controlled flows
  };
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// When this flow, which has packets and a rate, may send; and its tag.
  struct Turn {
    double at = 0;
    double tag = 0;
  };
  [[nodiscard]] virtual Turn turn(const Host& host, const RatedFlow& flow) const = 0;
  /// A packet has left; the tag has grown already.
  virtual void count(Host& host, RatedFlow& flow, double size, double now) const = 0;
  /// The rate changes; flow.rate is still the old one. What has accumulated at that one stays.
  virtual void settle(RatedFlow& flow, double now) const {
    flow.size -= std::min(flow.size, flow.rate * (now - flow.base));
    flow.base = std::max(flow.base, now);
  }
  /// The flow has packets again, after some time without.
  virtual void welcome(RatedFlow& flow, double now) const { (void)flow, (void)now; }

  /// When the packet that could leave at `at` and leaves now is taken to have left: then, but for
  /// what other packets of the host have held it up. `at`, when it left as soon as it could: then
  /// only rounding lies between.
  [[nodiscard]] static double start_of(Host& host, double at, double now) {
    const double lag = host.lag + wait_for_other(host, at, now);
    if (lag == 0) return now - at < 1 && now >= at ? at : now;
    const double start = std::max(at, now - lag);
    host.lag = now - start < 1 ? 0 : now - start;
    return start;
  }
  /// What of the time from `at` to `now` the last other packet of the host has had the link.
  [[nodiscard]] static double wait_for_other(const Host& host, double at, double now) {
    // Uncontrolled packets begin only while no controlled one may go, or VL arbitration says so
    // (on_passed()): who came to wait while one was on its way has waited for that one. ACKs go
    // before who waits already.
    if (host.other_from < at && at < host.other_until) return host.other_until - at;
    const bool went_before = host.other_is_acks && at <= host.other_from && host.other_until == now;
    return went_before ? host.other_until - host.other_from : 0;
  }
  /// From `base` until `size` bytes have accumulated at `rate`.
  [[nodiscard]] static double ready(double base, double size, double rate) {
    return size <= 0 ? base : rate > 0 ? base + size / rate : kNever;
  }

 private:
  /// Its controlled packets have had to let others of other VLs go first.
  static void add_lag(Host& host, double time) {
    host.lag = std::max(host.lag, std::min(host.lag + time, host.longest_lag));
  }
  /// The host's link is taken for a packet that is not controlled.
  void take_link(Host& host, Time now, Time end, bool is_ack) const;
  [[nodiscard]] std::uint32_t index_of(const fabric::Message& message);
  /// Some of the host's flows have come, gone, or changed their rates.
  void update(Host& host, double now) const;
  void catch_up(const Host& host, RatedFlow& flow) const;
  void begin(Host& host, RatedFlow& flow, std::uint32_t host_number, double now) const;
  /// Of the host's flows that have packets and a rate; kNever: there are none.
  [[nodiscard]] double least_tag(const Host& host) const;

  /// Of a connection: its hosts, and its number between them.
  using Name = std::pair<std::uint64_t, std::uint16_t>;
  struct NameHash {
    std::size_t operator()(const Name& name) const {
      return std::hash<std::uint64_t>()(name.first * 0x9e3779b97f4a7c15ULL + name.second);
    }
  };
  [[nodiscard]] static Name name_of(std::uint32_t source, std::uint32_t destination,
                                    std::uint16_t number) {
    return {std::uint64_t{source} << 32 | destination, number};
  }

  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Packets packets_;
  bool random_phase_;
  std::uint64_t seed_ = 1;
  double first_size_ = 0;  ///< a full packet
  std::vector<Host> hosts_;
  std::vector<RatedFlow> flows_;
  std::uint32_t order_ = 0;  ///< of the next one
  std::unordered_map<Name, std::uint32_t, NameHash> by_name_;
  std::vector<std::uint32_t> by_message_flow_;  ///< by Message::flow: kNone: not looked up
};

/// What these schemes let a file choose.
struct PhaseSettings {
  bool is_random = true;
};
[[nodiscard]] const Keys<PhaseSettings>& phase_keys();

template <class Scheme>
std::unique_ptr<fabric::Injection> make_scheme(const Checked<PhaseSettings>& phase,
                                               const topology::Graph&) {
  return std::make_unique<Scheme>(phase->is_random);
}

}  // namespace weir::injection
