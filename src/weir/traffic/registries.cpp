#include "weir/traffic/arrival.hpp"
#include "weir/traffic/pattern.hpp"
#include "weir/traffic/size.hpp"

namespace weir::traffic {

Registry<PatternFactory>& pattern_registry() {
  static Registry<PatternFactory> registry("pattern");
  return registry;
}

Registry<ArrivalFactory>& arrival_registry() {
  static Registry<ArrivalFactory> registry("arrivals");
  return registry;
}

Registry<SizeFactory>& size_registry() {
  static Registry<SizeFactory> registry("sizes");
  return registry;
}

}  // namespace weir::traffic
