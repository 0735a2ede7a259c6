#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/topology/graph.hpp"

namespace weir::fabric {

/// VLs as servers of their own: each serves its packets one after another at the rate of the lanes
/// that it holds, and may borrow lanes of idle VLs (yan2012, sections 5.2 and 5.3). A packet leaves
/// for the link when it has been served; a head without credit is not served. The queue of a VL is
/// what waits at the port, in all buffers of its switch or in the source queue of its host.
class VlSharing : public Mechanism {
 public:
  /// Packets have joined the queue of `vl` for `port`, or were refused for lack of room.
  virtual void on_waiting(std::uint32_t port, std::uint16_t vl, std::int64_t packets) = 0;
  virtual void on_refused(std::uint32_t port, std::uint16_t vl, std::int64_t packets) = 0;
  /// Room for so many more packets in a host's queue?
  [[nodiscard]] virtual bool has_room(std::uint32_t port, std::uint16_t vl,
                                      std::int64_t packets) const = 0;
  /// Has `head`, a packet of `bytes` with credit at the front of a queue, been served? If the VL
  /// serves nothing it begins with this one. While it is not, the port is woken when it will be.
  virtual bool is_served(std::uint32_t port, std::uint16_t vl, std::uint32_t head,
                         std::uint32_t bytes) = 0;
  /// The packet that was served leaves.
  virtual void on_sent(std::uint32_t port, std::uint16_t vl) = 0;
};

using VlSharingFactory =
    std::function<std::unique_ptr<VlSharing>(const Settings&, const topology::Graph&)>;
Registry<VlSharingFactory>& vl_sharing_registry();

}  // namespace weir::fabric
