#include "weir/rates/rate_protocol.hpp"

namespace weir::rates {

Registry<ProtocolModel>& protocol_registry() {
  static Registry<ProtocolModel> registry("protocol");
  return registry;
}

}  // namespace weir::rates
