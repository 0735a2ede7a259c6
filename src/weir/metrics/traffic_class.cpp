#include "weir/metrics/traffic_class.hpp"

#include <algorithm>
#include <utility>

namespace weir::metrics {

std::vector<TrafficGroup> traffic_groups(const std::vector<TrafficClass>& classes,
                                         bool has_victims) {
  std::vector<TrafficGroup> out;
  const auto add = [&](const std::string& label, auto&& wanted) {
    TrafficGroup group{label, {}};
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (wanted(classes[c])) group.members.push_back(c);
    }
    const bool is_new = std::none_of(out.begin(), out.end(),
                                     [&](const TrafficGroup& g) { return g.label == label; });
    if (!group.members.empty() && is_new) out.push_back(std::move(group));
  };
  add("", [](const TrafficClass&) { return true; });
  add("hot", [](const TrafficClass& c) { return c.role == Role::hot; });
  add("cold", [](const TrafficClass& c) { return c.role == Role::cold; });
  if (has_victims) out.push_back({"victim", {classes.size()}});
  if (classes.size() > 1) {
    for (const TrafficClass& named : classes) {
      add(named.name, [&](const TrafficClass& c) { return c.name == named.name; });
    }
  }
  return out;
}

std::string size_class_label(const std::vector<Bytes>& sizes, std::size_t number) {
  if (number == 0) return "<= " + to_string(sizes.front());
  if (number == sizes.size()) return "> " + to_string(sizes.back());
  return to_string(sizes[number - 1]) + " to " + to_string(sizes[number]);
}

}  // namespace weir::metrics
