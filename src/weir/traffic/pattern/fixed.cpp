#include <fmt/format.h>

#include "weir/traffic/host_list.hpp"
#include "weir/traffic/pattern.hpp"

namespace weir::traffic {
namespace {

class FixedDestination final : public Pattern {
 public:
  explicit FixedDestination(HostId host) : host_(host) {}
  [[nodiscard]] HostId destination(const Draw&, RandomStream&) const override { return host_; }
  [[nodiscard]] std::vector<HostId> targets() const override { return {host_}; }
  [[nodiscard]] std::vector<HostId> destinations(HostId, std::uint32_t) const override {
    return {host_};
  }

 private:
  HostId host_;
};

struct FixedDestinationKeys {
  ConfigValue host;
};

std::shared_ptr<const Pattern> make_fixed(const Checked<FixedDestinationKeys>& file,
                                          const PatternContext& context) {
  const HostId host =
      read_host(file->host, context.graph, file.path_to(&FixedDestinationKeys::host));
  if (!contains(context.sources, host)) return std::make_shared<FixedDestination>(host);
  throw file.error(&FixedDestinationKeys::host,
                   fmt::format("host {0} is one of the sources and would send to itself: "
                               "sources = {{ exclude = [{0}], ... }} leaves it out",
                               host.value));
}

const PatternRegistration kFixedDestination(
    pattern_registry(),
    {"fixed", "All messages to one host (a hot spot or incast)",
     "rocher2021, section 4.2.1; ferrer2012, section 7.4; lippens2010, section 5.1"},
    Keys<FixedDestinationKeys>{
        key(&FixedDestinationKeys::host, "host", "host to which all messages go").required()},
    make_fixed);

}  // namespace
}  // namespace weir::traffic
