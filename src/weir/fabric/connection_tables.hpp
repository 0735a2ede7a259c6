#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/fabric/settings.hpp"
#include "weir/fabric/vl_table_filler.hpp"

namespace weir::fabric {

/// The VL arbitration tables of all sending ports, as accepted connections fill them and their ends
/// empty them (yan2012, section 5.2). Behind the entries that are set for the whole run each table
/// has as many for connections as are left of its 64. Entries keep their places, so that arbiters
/// may go on where they are while a table changes.
class ConnectionTables {
 public:
  /// VL 15 is for management and stands in no table.
  static constexpr std::uint16_t kDataVls = 15;
  struct Rules {
    VlArbitration configured;    ///< entries that stay
    std::uint32_t high_vls = 0;  ///< bit per VL: its connections fill the high-priority table
    EntriesEnd end = EntriesEnd::with_connections;
  };
  /// After the entries of a VL at a port may have become more or fewer.
  using Listener = std::function<void(PortId, std::uint16_t vl)>;

  /// Throws InputError when the entries that stay are more than a table holds.
  ConnectionTables(const Rules& rules, std::size_t ports);
  void listen(Listener listener) { listener_ = std::move(listener); }

  /// Puts a connection of this weight (VlTableFiller::weight_of) into the table of its VL. Its
  /// number; nothing, and nothing changes, when there is no room.
  std::optional<int> add(PortId port, std::uint16_t vl, int weight);
  void remove(PortId port, std::uint16_t vl, int connection);

  /// The tables of a port now; the reference stays valid.
  [[nodiscard]] const VlArbitration& of(PortId port) const { return ports_[port.index()].tables; }
  /// Entries that connections of the VL use at the port (E of the Entry Threshold).
  [[nodiscard]] int entries(PortId port, std::uint16_t vl) const;
  [[nodiscard]] int connections(PortId port, std::uint16_t vl) const;
  [[nodiscard]] bool is_high(std::uint16_t vl) const { return (rules_.high_vls >> vl & 1U) != 0; }
  /// Entries that connections of the VL may use at most.
  [[nodiscard]] int room(std::uint16_t vl) const { return is_high(vl) ? high_room_ : low_room_; }
  /// Packets of the VL are served without any connection: it has weight of its own, or is VL 15.
  [[nodiscard]] bool serves_without(std::uint16_t vl) const;
  [[nodiscard]] std::size_t port_count() const { return ports_.size(); }
  [[nodiscard]] std::size_t memory() const;
  /// Those of a port. Who listens is not told of what is read, and reads what it has of it itself.
  void checkpoint(StateArchive& state, PortId port);

 private:
  struct Port {
    VlTableFiller high;
    VlTableFiller low;
    VlArbitration tables;
  };
  [[nodiscard]] const VlTableFiller& filler(PortId port, std::uint16_t vl) const {
    return is_high(vl) ? ports_[port.index()].high : ports_[port.index()].low;
  }
  VlTableFiller& filler(PortId port, std::uint16_t vl) {
    return is_high(vl) ? ports_[port.index()].high : ports_[port.index()].low;
  }
  /// Writes what a filler schedules into a table, behind the entries that stay.
  static void write(const VlTableFiller& from, std::vector<VlWeight>& to);
  void update(PortId port, std::uint16_t vl);

  Rules rules_;
  int high_room_;
  int low_room_;
  std::vector<Port> ports_;
  Listener listener_;
};

}  // namespace weir::fabric
