#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "weir/base/catalog.hpp"
#include "weir/base/ids.hpp"
#include "weir/base/random.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/hooks/mechanism.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/routing/routing.hpp"

namespace weir::fabric {

struct Counters;

/// A packet whose header has arrived at a switch, and what is known there of the outputs that it
/// may take.
class SelectionView {
 public:
  SelectionView(const Packet& the_packet, SwitchId the_switch, routing::Candidate the_default,
                RandomStream& the_stream)
      : packet(the_packet), at(the_switch), preferred(the_default), random(the_stream) {}
  virtual ~SelectionView() = default;
  SelectionView(const SelectionView&) = delete;
  SelectionView& operator=(const SelectionView&) = delete;

  /// Outputs that the routing function allows, in its order; never empty. Looked up when first
  /// asked for.
  [[nodiscard]] virtual std::span<const routing::Candidate> candidates() = 0;
  /// Bytes of credit for the class that the packet would use in the buffer behind an output.
  [[nodiscard]] virtual std::int64_t credits(routing::Candidate output) const = 0;
  /// The same for the class of adapted packets; only where the selection isolates them.
  [[nodiscard]] virtual std::int64_t adapted_credits(routing::Candidate output) const = 0;
  /// Bytes of a class in the buffer behind an output.
  [[nodiscard]] virtual std::int64_t capacity(routing::Candidate output) const = 0;
  /// Bytes that wait in this switch for an output.
  [[nodiscard]] virtual std::int64_t queued(routing::Candidate output) const = 0;
  /// Payload of the message that the packet is a part of; 0: an ACK.
  [[nodiscard]] virtual std::int64_t message_bytes() const = 0;

  const Packet& packet;
  SwitchId at;
  routing::Candidate preferred;  ///< default route; one of candidates()
  RandomStream& random;          ///< of the switch
};

/// What a selection has decided.
struct Selected {
  routing::Candidate output;
  /// The packet is adapted from here on: it keeps to its default route and, in all buffers that
  /// follow, to the class of adapted packets. Only where the selection isolates.
  bool adapts = false;
};

/// Which of the allowed outputs a packet takes, decided once at every switch when its header has
/// arrived; adapted packets are not asked about. One object serves one run.
class SelectionFunction : public Mechanism {
 public:
  [[nodiscard]] virtual Selected select(SelectionView& view) = 0;

  /// Only the default route is ever taken: select() is not called.
  [[nodiscard]] virtual bool is_fixed() const { return false; }
  /// All packets of a connection (ACKs are of the opposite one) that may take the same outputs of a
  /// switch take the same one, output_of(), whatever else happens: its way is known beforehand.
  [[nodiscard]] virtual bool keeps_paths() const { return is_fixed(); }
  /// Which of these; only where it keeps paths, and is not fixed.
  [[nodiscard]] virtual routing::Candidate output_of(
      const ConnectionName& connection, SwitchId at,
      std::span<const routing::Candidate> allowed) const;
  /// The default route is taken nearly always: it is looked up, and what it leads to is fetched,
  /// before the header arrives.
  [[nodiscard]] virtual bool follows_default() const { return is_fixed(); }
  /// Every ingress buffer has one more class, the last, for adapted packets (adapted-flow
  /// isolation; rocher2021, chapter 3).
  [[nodiscard]] virtual bool isolates() const { return false; }
  [[nodiscard]] int added_classes() const final { return isolates() ? 1 : 0; }
  /// Needs virtual output queues at ingress: on_queued() and on_removed() are called.
  [[nodiscard]] virtual bool watches_queues() const { return false; }

  /// A packet has joined, or left, the virtual output queue (ingress `port`, local output `out`,
  /// class `buffer`), which held, or holds, at least what SelectionCalls::watch_queues() says.
  virtual void on_queued(std::uint32_t port, std::uint16_t out, std::uint16_t buffer) {
    (void)port, (void)out, (void)buffer;
  }
  virtual void on_removed(std::uint32_t port, std::uint16_t out, std::uint16_t buffer) {
    (void)port, (void)out, (void)buffer;
  }
  /// The time of SelectionCalls::set_timer() has come.
  virtual void on_timer(std::uint32_t port, std::uint32_t what) { (void)port, (void)what; }
  /// Will a packet that `host` sends now to `destination`, in class `scheme_class` of the queueing
  /// scheme, be adapted from the start? Asked only after SelectionCalls::ask_at_host().
  [[nodiscard]] virtual bool adapts_at_host(std::uint32_t host, std::uint32_t destination,
                                            std::uint16_t scheme_class) {
    (void)host, (void)destination, (void)scheme_class;
    return false;
  }

  /// Which packets left their default routes; what overrides them calls both.
  void attach(const FabricView& fabric) override;
  void read(Readings& readings, Time now) const override;

 private:
  const Counters* totals_ = nullptr;
};

using SelectionFactory = std::function<std::unique_ptr<SelectionFunction>(const Settings&)>;
using SelectionRegistration = Registration<SelectionFactory>;
Registry<SelectionFactory>& selection_registry();

}  // namespace weir::fabric
