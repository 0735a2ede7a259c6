#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/base/random.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/hooks/vl_sharing.hpp"
#include "weir/vl_sharing/lane_lender.hpp"

namespace weir::vl_sharing {

/// What the VLs of a port may do.
struct LaneRules {
  static constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max() / 64;

  std::vector<double> rates;       ///< bit/s with 1, 2, ... lanes
  std::vector<std::int64_t> last;  ///< most packets that 1, 2, ... lanes are wanted for, but of all
  std::vector<std::int64_t> lenders;  ///< VLs that may be lent while they are idle
  std::int64_t capacity = kNoBound;   ///< packets of one lane in a host's queue
  /// Of service times, which then have the packet's serialization time as their mean; nothing: they
  /// are that time.
  std::optional<double> service_scv = {};
  /// VLs of the high-priority table lend to each other, and the others to each other.
  bool has_pools = false;
  /// Entries of connections in the port's arbitration table from which on a VL with packets wants
  /// two lanes, whatever their number; 0: `last` decides.
  int entries = 0;

  /// Lanes wanted for so many packets.
  [[nodiscard]] std::size_t wanted(std::int64_t packets) const;
};

/// What has happened to a virtual lane (VL) of a port since the beginning: integrals over time in
/// ps, and counts of packets.
struct VlUse {
  PortId port;
  std::uint16_t vl = 0;
  double packets = 0;         ///< packets in the queue, the one in service included
  double busy = 0;            ///< some are there
  double stalled = 0;         ///< and none is in service: the link gives no credit
  double waiting = 0;         ///< it waits for a lane
  std::vector<double> lanes;  ///< some are there, and it holds 1, 2, ... lanes
  std::uint64_t offered = 0;
  std::uint64_t refused = 0;  ///< of those offered
  std::uint64_t sent = 0;
};

/// VLs that are served by lanes. A lane carries the bytes of a packet, or of a time that is drawn
/// for it, at its rate; when lanes come or go, what is left is carried at the new rate. Then the
/// packet goes to the link, which takes the time of its own rate besides: links are much faster
/// than lanes where that is not to be seen.
///
/// Where entries of connections decide (LaneRules::entries), a lent lane works on an entry, 255
/// units of 64 B rounded up to whole packets. It finishes it, or what the borrower has, before it
/// goes to whoever waits (yan2012, section 5.2.1, assumptions b and c).
class VlLanes final : public fabric::VlSharing {
 public:
  /// At the ports of hosts and of switches; nothing: packets pass there.
  VlLanes(std::optional<LaneRules> hosts, std::optional<LaneRules> switches)
      : hosts_(std::move(hosts)), switches_(std::move(switches)) {}

  void attach(const fabric::FabricView& fabric) override;
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool bears_failures_in_parts() const override { return false; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override;
  void on_waiting(std::uint32_t port, std::uint16_t vl, std::int64_t packets) override;
  void on_refused(std::uint32_t port, std::uint16_t vl, std::int64_t packets) override;
  [[nodiscard]] bool has_room(std::uint32_t port, std::uint16_t vl,
                              std::int64_t packets) const override;
  bool is_served(std::uint32_t port, std::uint16_t vl, std::uint32_t head,
                 std::uint32_t bytes) override;
  void on_sent(std::uint32_t port, std::uint16_t vl) override;
  void check(bool is_idle) const override;
  void read(fabric::Readings& readings, Time now) const override;
  [[nodiscard]] std::size_t memory() const override;

  /// Of every VL that has been offered packets, by port and VL; of the ports of its part.
  [[nodiscard]] std::vector<VlUse> uses() const;

  /// For tests: lanes that serve a VL of a port.
  [[nodiscard]] std::size_t lanes(PortId port, std::size_t vl) const {
    return ports_.at(port.index())->lender.lanes(vl);
  }

 private:
  struct Vl {
    std::int64_t packets = 0;
    std::uint32_t head = fabric::kNone;  ///< in service
    double rest = 0;                     ///< bits that its lanes have not carried by `since`
    double rate = 0;                     ///< bit/ps since then
    std::int64_t since = 0;
    std::int64_t finish = 0;
    std::uint32_t bytes = 0;  ///< of the head
    int units = 0;            ///< of 64 B that its borrowed lane has left of an entry
    VlUse use;
  };
  struct Port {
    Port(const LaneRules& its, const fabric::FabricView& fabric, std::uint32_t number);
    const LaneRules* rules;
    LaneLender lender;
    RandomStream random;
    std::vector<Vl> vls;
    std::int64_t counted = 0;  ///< uses are known up to then
  };

  static void checkpoint(fabric::NodeState& state, Vl& vl);
  void check_fit(const fabric::FabricView& fabric) const;
  /// Hears of entries that come and go, if rules ask for them. Throws InputError where no
  /// connection fills tables.
  void follow_entries(const fabric::FabricView& fabric);
  void count(Port& port) const;
  /// The VL holds other packets, or another number of them, than before.
  void update(std::uint32_t number, Port& port, std::uint16_t vl);
  [[nodiscard]] std::size_t wanted(std::uint32_t number, const Port& port, std::uint16_t vl) const;
  /// A packet has been carried of the entry that the borrowed lane of a VL works on.
  static void carry_entry(Port& port, std::uint16_t vl);
  /// Lanes that have been borrowed begin an entry.
  static void begin_entries(Port& port);
  [[nodiscard]] static std::int64_t finish_of(const Vl& vl);
  [[nodiscard]] double rate_of(const Port& port, std::uint16_t vl) const;

  std::optional<LaneRules> hosts_;
  std::optional<LaneRules> switches_;
  fabric::Clock clock_;
  fabric::Scheduler scheduler_;
  const topology::Graph* graph_ = nullptr;
  bool connections_fill_tables_ = false;
  const fabric::ConnectionTables* tables_ = nullptr;  ///< null: no rules ask for entries
  std::vector<std::unique_ptr<Port>> ports_;  ///< null: packets pass, or it is in another part
};

}  // namespace weir::vl_sharing
