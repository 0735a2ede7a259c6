#pragma once

#include <cstdint>

namespace weir::fabric {

/// One half of a port: ingress is before the crossbar, egress before the link. The egress side of a
/// host's port is its injection buffer; its ingress side stores nothing. Each class of a buffer has
/// a side of its own: at ingress the class that packets occupy, at egress the one behind the link.
struct Side {
  std::uint32_t index = 0;   ///< 2 * port, plus 1 for egress
  std::uint16_t buffer = 0;  ///< class

  static Side ingress(std::uint32_t port, std::uint16_t buffer = 0) { return {2 * port, buffer}; }
  static Side egress(std::uint32_t port, std::uint16_t buffer = 0) {
    return {2 * port + 1, buffer};
  }
  [[nodiscard]] std::uint32_t port() const { return index / 2; }
  [[nodiscard]] bool is_egress() const { return (index & 1) != 0; }
};

}  // namespace weir::fabric
