#pragma once

#include <cstdint>

namespace weir::fabric {

/// One half of a port: ingress is before the crossbar, egress before the link. The egress side of a
/// host's port is its injection buffer; its ingress side stores nothing.
struct Side {
  std::uint32_t index = 0;  ///< 2 * port, plus 1 for egress

  static Side ingress(std::uint32_t port) { return {2 * port}; }
  static Side egress(std::uint32_t port) { return {2 * port + 1}; }
  [[nodiscard]] std::uint32_t port() const { return index / 2; }
  [[nodiscard]] bool is_egress() const { return (index & 1) != 0; }
};

}  // namespace weir::fabric
