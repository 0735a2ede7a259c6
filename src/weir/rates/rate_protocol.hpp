#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "weir/base/catalog.hpp"
#include "weir/rates/control_carrier.hpp"

namespace weir::rates {

/// A protocol of any type with its carrier, on a medium. What starts and ends as a whole is a
/// party: a flow, or for DAFA an application.
class RateProtocol {
 public:
  using Listener = std::function<void(FlowIndex)>;

  virtual ~RateProtocol() = default;
  [[nodiscard]] virtual std::size_t party_count() const = 0;
  [[nodiscard]] virtual std::uint32_t party_of(FlowIndex f) const { return f; }
  virtual void start(std::uint32_t party) = 0;
  virtual void end(std::uint32_t party) = 0;
  // Where a flow is a party: its first message rides on the packet that looks for its path, which
  // leaves by each of the links in turn, is at the destination, and has its answer back.
  virtual void start_riding(FlowIndex f) = 0;
  virtual void ride(FlowIndex f, LinkIndex link) = 0;
  virtual void turn(FlowIndex f) = 0;
  virtual void alight(FlowIndex f) = 0;
  /// What the medium was asked for.
  virtual void handle(ControlEvent event, std::uint32_t payload) = 0;

  /// Nothing will change any more, although messages may go on (probes).
  [[nodiscard]] virtual bool is_settled() const = 0;
  /// What the source of a flow sends, as a share of the line rate.
  [[nodiscard]] virtual double rate(FlowIndex f) const = 0;
  /// Its rate was final.
  [[nodiscard]] virtual Time found_at(FlowIndex f) const = 0;
  /// Control packets of its source that count for its rate.
  [[nodiscard]] virtual std::uint32_t messages_of(FlowIndex f) const = 0;
  [[nodiscard]] virtual const ControlCounters& counters() const = 0;
  [[nodiscard]] virtual std::uint32_t rounds() const { return 0; }
  [[nodiscard]] virtual std::uint32_t iterations() const { return 0; }
  /// From the beginning of the newest calculation until its leader knew all rates (DAFA).
  [[nodiscard]] virtual std::optional<Time> leader_time() const { return std::nullopt; }
  /// Is told whenever the rate of a flow may have changed.
  virtual void listen(Listener listener) = 0;

  /// Checkpoints of a run have its state: checkpoint() writes it down between two events, or reads
  /// it back. What the medium was asked for stands with the medium.
  [[nodiscard]] virtual bool has_checkpoints() const { return false; }
  virtual void checkpoint(StateArchive& state) { (void)state; }
};

/// What a protocol works with.
struct ProtocolContext {
  const ControlPlane& plane;
  ControlTiming timing;
  ControlMedium& medium;
  std::uint64_t seed = 1;
  /// Number of the element of that name, as a user writes it; throws InputError.
  std::function<ElementIndex(const std::string&)> element;
};

/// A protocol as a model: `protocol.model` names it.
struct ProtocolModel {
  std::string algorithm;           ///< the centralized calculation that it carries out
  bool takes_changes = true;       ///< parties may start late, and end
  bool is_by_application = false;  ///< of parties
  std::function<std::unique_ptr<RateProtocol>(const Settings&, const ProtocolContext&)> make;
};

/// Kind "protocol". A protocol registers itself in a file of its own.
Registry<ProtocolModel>& protocol_registry();

/// What all protocols have in common. Parties are flows.
template <class Protocol>
class BoundProtocol : public RateProtocol {
 public:
  template <class Options>
  BoundProtocol(const ProtocolContext& context, Options settings)
      : plane_(context.plane),
        carrier_(context.plane, context.timing, context.medium),
        protocol_(context.plane, carrier_, std::move(settings)) {
    carrier_.attach(protocol_);
  }

  [[nodiscard]] std::size_t party_count() const override { return plane_.flow_count(); }
  void start(std::uint32_t party) override { protocol_.start(party); }
  void end(std::uint32_t party) override { protocol_.end(party); }
  void start_riding(FlowIndex f) override {
    carrier_.board_while(f, [this, f] { protocol_.start(f); });
  }
  void ride(FlowIndex f, LinkIndex link) override { carrier_.ride(f, link); }
  void turn(FlowIndex f) override { carrier_.turn(f); }
  void alight(FlowIndex f) override { carrier_.alight(f); }
  void handle(ControlEvent event, std::uint32_t payload) override {
    carrier_.handle(event, payload);
  }
  [[nodiscard]] bool is_settled() const override { return protocol_.is_settled(); }
  [[nodiscard]] double rate(FlowIndex f) const override {
    return static_cast<double>(protocol_.rate(f));
  }
  [[nodiscard]] std::uint32_t messages_of(FlowIndex f) const override {
    return carrier_.messages_of(f);
  }
  [[nodiscard]] const ControlCounters& counters() const override { return carrier_.counters(); }
  void listen(Listener listener) override { carrier_.listen(std::move(listener)); }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  /// Of a protocol with state of its own: calls this first.
  void checkpoint(StateArchive& state) override { state(carrier_, protocol_); }

 protected:
  const ControlPlane& plane_;
  ControlCarrier<Protocol> carrier_;
  Protocol protocol_;
};

}  // namespace weir::rates
