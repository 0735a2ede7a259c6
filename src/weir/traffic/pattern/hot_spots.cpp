#include <fmt/format.h>

#include <algorithm>

#include "weir/traffic/host_list.hpp"
#include "weir/traffic/pattern.hpp"

namespace weir::traffic {
namespace {

/// The sources share the hot spots out: source number r has hot spot number r mod n.
class ByRank final : public Pattern {
 public:
  explicit ByRank(std::vector<HostId> hosts) : hosts_(std::move(hosts)) {}
  [[nodiscard]] HostId destination(const Draw& draw, RandomStream&) const override {
    return hosts_[draw.rank % hosts_.size()];
  }
  [[nodiscard]] std::vector<HostId> targets() const override { return hosts_; }

 private:
  std::vector<HostId> hosts_;
};

/// Every source goes through all hot spots message by message.
class ByMessage final : public Pattern {
 public:
  explicit ByMessage(std::vector<HostId> hosts) : hosts_(std::move(hosts)) {}
  [[nodiscard]] HostId destination(const Draw& draw, RandomStream&) const override {
    return hosts_[(draw.rank + draw.message) % hosts_.size()];
  }
  [[nodiscard]] std::vector<HostId> targets() const override { return hosts_; }

 private:
  std::vector<HostId> hosts_;
};

/// A random hot spot for every message.
class ByChance final : public Pattern {
 public:
  ByChance(std::vector<HostId> hosts, const std::vector<double>& weights)
      : hosts_(std::move(hosts)) {
    double sum = 0;
    for (const double weight : weights) cumulative_.push_back(sum += weight);
  }
  [[nodiscard]] HostId destination(const Draw&, RandomStream& random) const override {
    const double drawn = random.unit() * cumulative_.back();
    const auto it = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, drawn);
    return hosts_[static_cast<std::size_t>(it - cumulative_.begin())];
  }
  [[nodiscard]] std::vector<HostId> targets() const override { return hosts_; }

 private:
  std::vector<HostId> hosts_;
  std::vector<double> cumulative_;
};

void refuse_sources(const Settings& settings, const PatternContext& context,
                    const std::vector<HostId>& hosts) {
  for (const HostId host : hosts) {
    if (!contains(context.sources, host)) continue;
    throw settings.error("hosts",
                         fmt::format("host {} is one of the sources and could send to itself: "
                                     "sources = {{ exclude = [...], ... }} leaves hot spots out",
                                     host.value));
  }
}

std::vector<double> read_weights(const Settings& settings, std::size_t hosts) {
  if (!settings.has("weights")) return std::vector<double>(hosts, 1.0);
  if (settings.text("choose") != "random") {
    throw settings.error("weights", "have a meaning with choose = \"random\" only");
  }
  std::vector<double> weights = settings.reals("weights");
  if (weights.size() != hosts) {
    throw settings.error("weights",
                         fmt::format("has {} entries for {} hosts", weights.size(), hosts));
  }
  return weights;
}

std::shared_ptr<const Pattern> make_hot_spots(const Settings& settings,
                                              const PatternContext& context) {
  std::vector<HostId> hosts =
      read_hosts(settings.raw("hosts"), context.graph, context.where + ".hosts");
  if (hosts.empty()) throw settings.error("hosts", "is an empty list");
  refuse_sources(settings, context, hosts);
  const std::vector<double> weights = read_weights(settings, hosts.size());
  const std::string& choose = settings.text("choose");
  if (choose == "round-robin") return std::make_shared<ByRank>(std::move(hosts));
  if (choose == "cycle") return std::make_shared<ByMessage>(std::move(hosts));
  return std::make_shared<ByChance>(std::move(hosts), weights);
}

const PatternRegistration kHotSpots(
    pattern_registry(),
    {"hot-spots",
     "Messages to a few hosts",
     "rocher2021, section 4.2.1",
     {Parameter::of(ParameterType::any, "hosts", "hosts that are hot spots").required(),
      Parameter::of(ParameterType::text, "choose",
                    "choice of the hot spot: round-robin, source number r sends to hot spot r mod "
                    "n; cycle, every source to all in turn; random, anew for every message")
          .by_default("round-robin")
          .one_of({"round-robin", "cycle", "random"}),
      Parameter::of(ParameterType::reals, "weights",
                    "how often each hot spot is chosen, in any proportion (with choose = "
                    "\"random\"; default: equally)")
          .range(1e-9, 1e9)}},
    make_hot_spots);

}  // namespace
}  // namespace weir::traffic
