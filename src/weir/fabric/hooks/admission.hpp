#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "weir/base/catalog.hpp"
#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

class ConnectionTables;

/// A traffic source asks whether it may send to a destination, for as long as all its messages go
/// there.
struct ConnectionRequest {
  HostId source;
  HostId destination;
  std::int64_t rate = 0;    ///< bytes per second, at least 1
  std::uint32_t asker = 0;  ///< handed back with the answer
  std::uint8_t service_level = 0;
  std::uint8_t traffic_class = 0;
  std::uint16_t number = 0;  ///< of its messages' connection (MessageSource::connection)
};

/// Decides which connections may send at all (yan2012, section 3.2). A source that asks for
/// bandwidth (MessageSource::reserve) holds its messages back until its connection is accepted. The
/// last packet of a connection carries packet_flag::kLastOfConnection.
class Admission : public Mechanism {
 public:
  /// Why no connection of this service level and rate (bytes per second) could ever be accepted;
  /// nothing: some link has room for it.
  [[nodiscard]] virtual std::optional<std::string> refusal(std::uint8_t service_level,
                                                           std::int64_t rate) const = 0;
  /// Asks for a connection; HostServices::answer() comes in an event. Returns its number at the
  /// host, which means the same however the network is divided.
  virtual std::uint32_t ask(const ConnectionRequest& request) = 0;
  /// The connection of the host is open, and `message` (of the slab) is its last.
  virtual void end_with(HostId source, std::uint32_t connection, std::uint32_t message) = 0;
  /// The last packet of a connection begins to leave by `port`, or was discarded there.
  virtual void on_last(PortId port, const Packet& packet) = 0;
  virtual void on_last_lost(PortId port, const Packet& packet) = 0;

  /// The VL arbitration tables that its connections fill; null: tables stay as they are set.
  [[nodiscard]] virtual ConnectionTables* tables() const { return nullptr; }
};

/// What a mechanism may know when it is made.
struct AdmissionContext {
  std::shared_ptr<const topology::Graph> graph;
  VlArbitration arbitration = {};  ///< as set, before any connection
};

using AdmissionFactory =
    std::function<std::unique_ptr<Admission>(const Settings&, const AdmissionContext&)>;
Registry<AdmissionFactory>& admission_registry();

}  // namespace weir::fabric
