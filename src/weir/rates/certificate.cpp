#include "weir/rates/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weir::rates {
namespace {

class Verification {
 public:
  Verification(const FlowSet& set, const Assignment& assignment)
      : set_(set),
        assignment_(assignment),
        used_(set.link_count()),
        fastest_(set.link_count(), 0) {}

  std::optional<std::string> run(Promise promise) {
    if (auto wrong = check_form()) return wrong;
    add_up();
    for (std::size_t l = 0; l < used_.size(); ++l) {
      if (used_[l].total() > set_.capacity(LinkId(l))) {
        return fmt::format("link {} carries {}, more than its capacity {}", l,
                           used_[l].total().to_string(), set_.capacity(LinkId(l)).to_string());
      }
    }
    if (promise == Promise::max_min_applications) return check_applications();
    if (promise == Promise::single_application || promise == Promise::equal ||
        promise == Promise::maximal) {
      weights_ = link_weights(set_);
      heaviest_ = *std::max_element(weights_.begin(), weights_.end());
    }
    if (promise == Promise::equal && assignment_.levels.size() != 1) {
      return "not all normalized rates are equal";
    }
    for (std::size_t f = 0; f < set_.flow_count(); ++f) {
      if (auto wrong = check_flow(FlowId(f), promise)) return wrong;
    }
    return std::nullopt;
  }

 private:
  using Wrong = std::optional<std::string>;

  [[nodiscard]] Wrong check_form() const {
    if (assignment_.level.size() != set_.flow_count() ||
        assignment_.bottleneck.size() != set_.flow_count()) {
      return "there is not one rate and one bottleneck for each flow";
    }
    for (std::size_t i = 0; i < assignment_.levels.size(); ++i) {
      const bool is_new = i == 0 || assignment_.levels[i] != assignment_.levels[i - 1];
      if (!is_new || (i > 0 && assignment_.levels[i].value() < assignment_.levels[i - 1].value())) {
        return "levels do not ascend";
      }
      if (!(assignment_.levels[i].value() > 0)) return "a rate is not greater than 0";
    }
    for (const std::uint32_t level : assignment_.level) {
      if (level >= assignment_.levels.size()) return "a flow has a level that is not there";
    }
    for (const LinkId link : assignment_.bottleneck) {
      if (link.index() >= set_.link_count()) return "a flow has a bottleneck that is not there";
    }
    return std::nullopt;
  }

  void add_up() {
    for (std::size_t f = 0; f < set_.flow_count(); ++f) {
      const Fraction rate = assignment_.rate(set_, FlowId(f));
      for (const LinkId l : set_.path(FlowId(f))) {
        used_[l.index()].add(rate);
        fastest_[l.index()] = std::max(fastest_[l.index()], assignment_.level[f]);
      }
    }
  }

  [[nodiscard]] bool is_full(LinkId l) const { return used_[l.index()] == set_.capacity(l); }

  [[nodiscard]] std::string bottleneck_of(FlowId f) const {
    return fmt::format("flow {}: its bottleneck, link {}, ", f.value,
                       assignment_.bottleneck[f.index()].value);
  }

  [[nodiscard]] Wrong check_flow(FlowId f, Promise promise) const {
    const LinkId link = assignment_.bottleneck[f.index()];
    const auto path = set_.path(f);
    const bool is_anywhere = promise == Promise::equal;
    if (!is_anywhere && std::find(path.begin(), path.end(), link) == path.end()) {
      return bottleneck_of(f) + "is not on its path";
    }
    switch (promise) {
      case Promise::max_min_flows:
        if (!is_full(link)) return bottleneck_of(f) + "is not full";
        if (fastest_[link.index()] > assignment_.level[f.index()]) {
          return bottleneck_of(f) + "carries a faster flow";
        }
        break;
      case Promise::maximal:
        if (!is_full(link)) return bottleneck_of(f) + "is not full";
        if (assignment_.normalized_rate(f) * heaviest(path) < Fraction(1)) {
          return fmt::format("flow {} has less than its share of the heaviest link", f.value);
        }
        break;
      default:
        return check_share(f, is_anywhere ? heaviest_ : heaviest(path));
    }
    return std::nullopt;
  }

  [[nodiscard]] Wrong check_share(FlowId f, const Fraction& heaviest) const {
    const LinkId link = assignment_.bottleneck[f.index()];
    if (weights_[link.index()] != heaviest) return bottleneck_of(f) + "is not the heaviest";
    if (assignment_.normalized_rate(f) * heaviest != Fraction(1)) {
      return fmt::format("flow {} has not its share of the heaviest link", f.value);
    }
    return std::nullopt;
  }

  [[nodiscard]] Fraction heaviest(std::span<const LinkId> path) const {
    Fraction most;
    for (const LinkId l : path) most = std::max(most, weights_[l.index()]);
    return most;
  }

  [[nodiscard]] Wrong check_applications() const {
    std::vector<FlowId> first(set_.application_count());
    std::vector<bool> crosses(set_.application_count());
    for (std::size_t f = 0; f < set_.flow_count(); ++f) {
      const std::size_t a = set_.application(FlowId(f)).index();
      if (!first[a].valid()) first[a] = FlowId(f);
      const FlowId other = first[a];
      if (assignment_.level[f] != assignment_.level[other.index()] ||
          assignment_.bottleneck[f] != assignment_.bottleneck[other.index()]) {
        return fmt::format("application {}: its flows {} and {} differ", a, other.value, f);
      }
      const auto path = set_.path(FlowId(f));
      if (std::find(path.begin(), path.end(), assignment_.bottleneck[f]) != path.end()) {
        crosses[a] = true;
      }
    }
    for (std::size_t a = 0; a < first.size(); ++a) {
      const LinkId link = assignment_.bottleneck[first[a].index()];
      const std::string name =
          fmt::format("application {}: its bottleneck, link {}, ", a, link.value);
      if (!crosses[a]) return name + "is on none of its paths";
      if (!is_full(link)) return name + "is not full";
      if (fastest_[link.index()] > assignment_.level[first[a].index()]) {
        return name + "carries a faster application";
      }
    }
    return std::nullopt;
  }

  const FlowSet& set_;
  const Assignment& assignment_;
  std::vector<FractionSum> used_;
  std::vector<std::uint32_t> fastest_;  ///< per link: highest level
  std::vector<Fraction> weights_;       ///< W_l, where the promise needs them
  Fraction heaviest_;                   ///< W
};

}  // namespace

std::optional<std::string> find_violation(const FlowSet& set, const Assignment& assignment,
                                          Promise promise) {
  return Verification(set, assignment).run(promise);
}

}  // namespace weir::rates
