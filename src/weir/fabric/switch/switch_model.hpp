#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "weir/fabric/core.hpp"

namespace weir::fabric {

class EgressBuffers;
class IngressBuffers;
class NodeState;
class Part;
enum class WhenIdle : std::uint8_t;

/// One switch architecture, for all switches of a fabric. Ports are global numbers.
class SwitchModel {
 public:
  virtual ~SwitchModel() = default;
  /// They are those of a plain run (Core::is_plain), which the loop then need not ask.
  static constexpr bool kIsPlain = false;

  /// Part::run_until() and run_before() for these switches. Who overrides them with the same words
  /// has a loop of its own with its functions in line (part_loop.hpp).
  virtual bool run_until(Part& part, Time end, WhenIdle when_idle);
  virtual void run_before(Part& part, std::int64_t end);

  /// The header of a packet is at ingress `port` (its tail with store-and-forward).
  virtual void arrive(std::uint32_t port, std::uint32_t packet) = 0;
  /// The link of output `port` may be able to send.
  virtual void arbitrate(std::uint32_t port) = 0;
  /// A crossbar transfer to output `port` has ended.
  virtual void crossbar_done(std::uint32_t port) { (void)port; }
  /// Matches inputs and outputs of crossbars that changed in this instant.
  virtual void match() {}
  [[nodiscard]] bool needs_match() const { return needs_match_; }

  /// Fetch into the cache what arrive(), or arbitrate(), will touch a few events from now. The port
  /// and its output are in the cache by then; prefetch_head() follows prefetch_request().
  virtual void prefetch_arrival(std::uint32_t port, const Packet& packet) const {
    (void)port, (void)packet;
  }
  virtual void prefetch_request(std::uint32_t port) const { (void)port; }
  virtual void prefetch_head(std::uint32_t port) const { (void)port; }
  /// After prefetch_arrival() what a packet will stand behind; after prefetch_head() what will
  /// leave, where that is two reads from the request.
  virtual void prefetch_tail(std::uint32_t port, const Packet& packet) const {
    (void)port, (void)packet;
  }
  virtual void prefetch_leaving(std::uint32_t port) const { (void)port; }
  [[nodiscard]] bool lists_requests() const { return lists_requests_; }

  /// Visits (ingress or egress port, packet) of every packet held, for checks.
  virtual void for_each_packet(
      const std::function<void(std::uint32_t, std::uint32_t)>& visit) const = 0;
  /// Visits (output port, packet, is at egress) of the head of every queue that may send.
  virtual void for_each_head(
      const std::function<void(std::uint32_t, std::uint32_t, bool)>& visit) const = 0;
  /// Visits the output ports that the heads of class `buffer` at ingress `port` wait for, with the
  /// class they need there; what stands in egress queues counts as its output port.
  virtual void for_each_wait(std::uint32_t port, std::uint16_t buffer,
                             const std::function<void(std::uint32_t)>& visit) const = 0;
  virtual void checkpoint(NodeState& state) = 0;
  [[nodiscard]] virtual std::size_t memory() const = 0;

  /// Queues before the crossbar; null where the architecture has none.
  [[nodiscard]] virtual const IngressBuffers* ingress_buffers() const { return nullptr; }
  /// What congestion isolation works on; null where the architecture does not offer it.
  virtual SideQueues* side_queues() { return nullptr; }
  /// Buffers before the links, also of hosts when packets are set aside there; null: none.
  virtual EgressBuffers* egress_buffers() { return nullptr; }
  /// Those of hosts when packets are set aside there.
  virtual EgressBuffers* injection_buffers() { return egress_buffers(); }

 protected:
  bool needs_match_ = false;     ///< match() has something to do
  bool lists_requests_ = false;  ///< prefetch_leaving() has something to fetch
};

std::unique_ptr<SwitchModel> make_input_queued(Core& core);
std::unique_ptr<SwitchModel> make_crossbar_switch(Core& core);
std::unique_ptr<SwitchModel> make_output_queued(Core& core);

}  // namespace weir::fabric
