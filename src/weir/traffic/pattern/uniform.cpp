#include <fmt/format.h>

#include "weir/traffic/host_list.hpp"
#include "weir/traffic/pattern.hpp"

namespace weir::traffic {
namespace {

/// Any host but the source.
class UniformOverAll final : public Pattern {
 public:
  explicit UniformOverAll(std::size_t hosts) : others_(hosts - 1) {}

  [[nodiscard]] HostId destination(const Draw& draw, RandomStream& random) const override {
    const auto drawn = static_cast<std::uint32_t>(random.below(others_));
    return HostId(drawn < draw.source.value ? drawn : drawn + 1);
  }

 private:
  std::size_t others_;
};

/// Any host of a list but the source.
class UniformOverList final : public Pattern {
 public:
  explicit UniformOverList(std::vector<HostId> hosts) : hosts_(std::move(hosts)) {}

  [[nodiscard]] HostId destination(const Draw& draw, RandomStream& random) const override {
    while (true) {
      const HostId host = hosts_[random.below(hosts_.size())];
      if (host != draw.source) return host;
    }
  }

 private:
  std::vector<HostId> hosts_;
};

struct UniformKeys {
  std::optional<ConfigValue> among;
  std::optional<ConfigValue> exclude;
};

std::shared_ptr<const Pattern> make_uniform(const Checked<UniformKeys>& file,
                                            const PatternContext& context) {
  using U = UniformKeys;
  const topology::Graph& graph = context.graph;
  std::vector<HostId> hosts =
      file->among ? read_host_set(file, &U::among, graph) : all_hosts(graph);
  hosts = without(hosts, read_host_set(file, &U::exclude, graph));
  const auto blamed = file->exclude ? &U::exclude : &U::among;
  if (hosts.empty()) throw file.error(blamed, "leaves no destination");
  if (hosts.size() == 1 && contains(context.sources, hosts.front())) {
    throw file.error(blamed, fmt::format("leaves source {} itself as its only destination",
                                         hosts.front().value));
  }
  if (hosts.size() == graph.host_count()) {
    return std::make_shared<UniformOverAll>(graph.host_count());
  }
  return std::make_shared<UniformOverList>(std::move(hosts));
}

const PatternRegistration kUniform(
    pattern_registry(),
    {"uniform", "Every message to a random host other than its source",
     "rocher2021, section 4.2.1; ferrer2012, section 7.4"},
    Keys<UniformKeys>{
        key(&UniformKeys::among, "among", "hosts that are destinations (default: all)"),
        key(&UniformKeys::exclude, "exclude", "hosts that are no destinations")},
    make_uniform);

}  // namespace
}  // namespace weir::traffic
