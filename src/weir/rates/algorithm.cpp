#include "weir/rates/algorithm.hpp"

namespace weir::rates {

Registry<Algorithm>& algorithm_registry() {
  static Registry<Algorithm> registry("rates");
  return registry;
}

}  // namespace weir::rates
