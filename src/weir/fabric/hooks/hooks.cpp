#include "weir/fabric/hooks/hooks.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/fabric/hooks/admission.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/fabric/hooks/reaction.hpp"
#include "weir/fabric/hooks/selection.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/hooks/vl_sharing.hpp"

namespace weir::fabric {

void SelectionFunction::attach(const FabricView& fabric) { totals_ = &fabric.totals; }

routing::Candidate SelectionFunction::output_of(const ConnectionName&, SwitchId,
                                                std::span<const routing::Candidate>) const {
  throw std::logic_error("this selection keeps no connection on one path");
}

void SelectionFunction::read(Readings& readings, Time) const {
  if (is_fixed()) return;
  readings.count("diverted", static_cast<double>(totals_->diverted));
  if (!isolates()) return;
  readings.count("adapted", static_cast<double>(totals_->adapted_in_switches), "switch");
  readings.count("adapted", static_cast<double>(totals_->adapted_at_hosts), "host");
}

Registry<SelectionFactory>& selection_registry() {
  static Registry<SelectionFactory> registry("selection");
  return registry;
}

Registry<QueueingFactory>& queueing_registry() {
  static Registry<QueueingFactory> registry("queueing");
  return registry;
}

Registry<MarkerFactory>& marker_registry() {
  static Registry<MarkerFactory> registry("marking");
  return registry;
}

Registry<AgentFactory>& agent_registry() {
  static Registry<AgentFactory> registry("agent");
  return registry;
}

Registry<IsolationFactory>& isolation_registry() {
  static Registry<IsolationFactory> registry("isolation");
  return registry;
}

Registry<AdmissionFactory>& admission_registry() {
  static Registry<AdmissionFactory> registry("admission");
  return registry;
}

Registry<VlSharingFactory>& vl_sharing_registry() {
  static Registry<VlSharingFactory> registry("vl_sharing");
  return registry;
}

Registry<ReactionFactory>& reaction_registry() {
  static Registry<ReactionFactory> registry("reaction");
  return registry;
}

Registry<InjectionFactory>& injection_registry() {
  static Registry<InjectionFactory> registry("injection");
  return registry;
}

}  // namespace weir::fabric
