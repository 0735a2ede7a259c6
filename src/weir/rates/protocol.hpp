#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "weir/base/units.hpp"
#include "weir/rates/control_plane.hpp"

namespace weir::rates {

/// Sorts of messages by what they cost; Timing says how much.
enum class MessageClass : std::uint8_t {
  control,    ///< fixed size, of a flow or from neighbour to neighbour
  broadcast,  ///< a round number
  reduced,    ///< as control, sent after answers of several neighbours have been put together
  result,     ///< a rate for every application
  fields,     ///< on a data packet
};

/// What agents ask of the network that carries their messages. Implementations: ControlCarrier
/// (timing of zdornov2009, chapter 6, over its own wires or those of a fabric) and, in tests, one
/// with random delays.
///
/// The carrier calls a protocol back:
/// * at_link(link, flow, message&): a message of a flow is processed at an output; may change it
/// * at_destination(flow, message&): it has arrived; false when nothing goes back
/// * at_source(flow, message): it is back
/// * at_element(link, message): a message from a neighbour has arrived over `link`
/// * on_timer(who): what wake() asked for
template <class Message>
class Carrier {
 public:
  virtual ~Carrier() = default;
  [[nodiscard]] virtual Time now() const = 0;
  /// From the source of `flow` over all links of its route and back.
  virtual void send_along(FlowIndex flow, const Message& message) = 0;
  /// Likewise as fields of a data packet.
  virtual void send_with_data(FlowIndex flow, const Message& message) { send_along(flow, message); }
  /// Over one link, to the element at its end.
  virtual void send_over(LinkIndex link, const Message& message, MessageClass sort) = 0;
  virtual void wake(std::uint32_t who, Time after) = 0;
  /// What a flow's source sends may have changed.
  virtual void rate_changed(FlowIndex /*flow*/) {}
};

/// What a protocol leaves out.
class ProtocolDefaults {
 public:
  template <class Message>
  bool at_destination(FlowIndex, Message&) {
    return true;
  }
  template <class Message>
  void at_element(LinkIndex, const Message&) {}
  void on_timer(std::uint32_t) {}
  /// Nothing will change any more, although messages may go on (probes).
  [[nodiscard]] bool is_settled() const { return false; }
};

/// What the protocols need of a number. Exact types (rationals, FixedPoint) need no tolerance.
template <class Number>
struct NumberTraits {
  /// Above every capacity and weight.
  static Number unbounded() { return Number(1'000'000'000); }
  static bool is_spent(const Number& rest, const Number& /*capacity*/) { return rest <= Number(0); }
  static Number quotient_up(const Number& a, const Number& b) { return a / b; }
};

template <>
struct NumberTraits<double> {
  static double unbounded() { return std::numeric_limits<double>::infinity(); }
  static bool is_spent(double rest, double capacity) { return rest <= 1e-9 * capacity; }
  static double quotient_up(double a, double b) { return a / b; }
};

}  // namespace weir::rates
