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
  [[nodiscard]] std::vector<HostId> destinations(HostId, std::uint32_t rank) const override {
    return {hosts_[rank % hosts_.size()]};
  }

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
  [[nodiscard]] std::vector<HostId> destinations(HostId, std::uint32_t) const override {
    return hosts_;
  }

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
  [[nodiscard]] std::vector<HostId> destinations(HostId, std::uint32_t) const override {
    return hosts_;
  }

 private:
  std::vector<HostId> hosts_;
  std::vector<double> cumulative_;
};

enum class HotSpotChoice : std::uint8_t { by_rank, by_message, by_chance };

struct HotSpotsKeys {
  ConfigValue hosts;
  HotSpotChoice choose = HotSpotChoice::by_rank;
  std::optional<std::vector<double>> weights;
};

using HotSpotsFile = Checked<HotSpotsKeys>;

void refuse_sources(const HotSpotsFile& file, const PatternContext& context,
                    const std::vector<HostId>& hosts) {
  for (const HostId host : hosts) {
    if (!contains(context.sources, host)) continue;
    throw file.error(&HotSpotsKeys::hosts,
                     fmt::format("host {} is one of the sources and could send to itself: "
                                 "sources = {{ exclude = [...], ... }} leaves hot spots out",
                                 host.value));
  }
}

std::vector<double> read_weights(const HotSpotsFile& file, std::size_t hosts) {
  if (!file->weights) return std::vector<double>(hosts, 1.0);
  const auto wrong = [&](const std::string& why) {
    return file.error(&HotSpotsKeys::weights, why);
  };
  if (file->choose != HotSpotChoice::by_chance)
    throw wrong("have a meaning with choose = \"random\" only");
  if (file->weights->size() != hosts)
    throw wrong(fmt::format("has {} entries for {} hosts", file->weights->size(), hosts));
  return *file->weights;
}

std::shared_ptr<const Pattern> make_hot_spots(const HotSpotsFile& file,
                                              const PatternContext& context) {
  std::vector<HostId> hosts =
      read_hosts(file->hosts, context.graph, file.path_to(&HotSpotsKeys::hosts));
  if (hosts.empty()) throw file.error(&HotSpotsKeys::hosts, "is an empty list");
  refuse_sources(file, context, hosts);
  const std::vector<double> weights = read_weights(file, hosts.size());
  switch (file->choose) {
    case HotSpotChoice::by_rank:
      return std::make_shared<ByRank>(std::move(hosts));
    case HotSpotChoice::by_message:
      return std::make_shared<ByMessage>(std::move(hosts));
    case HotSpotChoice::by_chance:
      break;
  }
  return std::make_shared<ByChance>(std::move(hosts), weights);
}

const PatternRegistration kHotSpots(
    pattern_registry(), {"hot-spots", "Messages to a few hosts", "rocher2021, section 4.2.1"},
    Keys<HotSpotsKeys>{
        key(&HotSpotsKeys::hosts, "hosts", "hosts that are hot spots").required(),
        choice(&HotSpotsKeys::choose, "choose",
               "choice of the hot spot: round-robin, source number r sends to hot spot r mod n; "
               "cycle, every source to all in turn; random, anew for every message",
               {{"round-robin", HotSpotChoice::by_rank},
                {"cycle", HotSpotChoice::by_message},
                {"random", HotSpotChoice::by_chance}}),
        key(&HotSpotsKeys::weights, "weights",
            "how often each hot spot is chosen, in any proportion (with choose = \"random\"; "
            "default: equally)")
            .range(1e-9, 1e9)},
    make_hot_spots);

}  // namespace
}  // namespace weir::traffic
