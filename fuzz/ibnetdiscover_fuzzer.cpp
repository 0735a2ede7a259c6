// Output of ibnetdiscover: any bytes make a fabric or are refused with an InputError. A fabric is
// one of the names, LIDs and cables that its own text tells.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "weir/base/error.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace {

using weir::HostId;
using weir::NodeId;
using weir::PortId;

void check(const weir::topology::Graph& graph) {
  const auto* shape = graph.shape<weir::topology::SubnetShape>();
  if (shape == nullptr || shape->hosts.size() != graph.host_count()) std::abort();
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    if (shape->owner[shape->hosts[h].lid] != NodeId(h)) std::abort();
  }
  for (std::size_t p = 0; p < graph.port_count(); ++p) {
    const auto& port = graph.port(PortId(p));
    if (port.to.valid() && graph.port(port.to).to != PortId(p)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  weir::topology::SubnetOptions options;
  if (text.find("Aggregation") != std::string_view::npos) options.exclude = {"Aggregation"};
  options.rate_of_unknown_speed = weir::gigabits_per_second(100);
  try {
    check(weir::topology::make_subnet_graph(weir::topology::parse_ibnetdiscover(text, "fuzz.txt"),
                                            options));
  } catch (const weir::InputError&) {
    return 0;
  }
  return 0;
}
