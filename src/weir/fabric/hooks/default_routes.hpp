#pragma once

#include <string>

namespace weir::fabric {

/// Of a mechanism that has to know beforehand which way a packet will take: it works beside
/// selections that always take the default route, and is refused beside others.
class NeedsDefaultRoutes {
 public:
  virtual ~NeedsDefaultRoutes() = default;
  /// Why, and what to take instead, for the user.
  [[nodiscard]] virtual std::string why_default_routes() const = 0;
};

}  // namespace weir::fabric
