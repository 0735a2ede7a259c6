#pragma once

#include "set_aside_network.hpp"
#include "weir/isolation/set_aside.hpp"
#include "weir/isolation/turn_pool.hpp"

namespace weir::isolation::testing {

/// Messages between sides that nobody has sent, to bring a side into the state that a test is
/// about. No flag stands behind them, so that checks of tokens must wait until the line is gone.
class Forged : public SetAside {
 public:
  /// Output `output` of the switch asks ingress `port` for a line for the path `rest` behind it.
  static void request_inside(Fabric& fabric, std::uint32_t port, unsigned output,
                             const LineName& rest, std::uint32_t root, std::uint16_t hops,
                             std::uint32_t destination = 0, bool has_token = true) {
    const Notice notice{rest, destination, PortId(root), hops, has_token};
    tell(fabric, port,
         notice.as(kNotifyInside, 0, {static_cast<std::uint16_t>(output), std::uint16_t{0}}));
  }
  /// The far end of the link asks egress `port`, in class `buffer`.
  static void request(Fabric& fabric, std::uint32_t port, const LineName& name, std::uint32_t root,
                      std::uint16_t hops, std::uint32_t destination = 0, bool has_token = true,
                      std::uint16_t buffer = 0) {
    tell(fabric, port,
         Notice{name, destination, PortId(root), hops, has_token}.as(kNotify, buffer));
  }
  static void stop(Fabric& fabric, std::uint32_t port, const LineName& name, bool stop,
                   std::uint16_t buffer = 0) {
    tell(fabric, port, Notice{name, 0, PortId(port), 0, false}.as(stop ? kXoff : kXon, buffer));
  }

 private:
  static void tell(Fabric& fabric, std::uint32_t port, const Told& told) {
    fabric.view().messages.send_inside(PortId(port), 0,
                                       {*fabric.view().mechanisms.isolation, told});
    fabric.run_until(fabric.now());
  }
};

/// The path of one turn, from the input that is local port `in` to local port `out` of a switch.
inline LineName turn_name(unsigned in, unsigned out, unsigned ports) {
  TurnPool pool;
  pool.append(turn_of(in, out, ports), turn_bits(ports));
  return {pool.value, static_cast<std::uint8_t>(pool.bits)};
}

}  // namespace weir::isolation::testing
