// Forwarding tables: any bytes are tables of a fixed fabric, which then deliver every packet, or
// are refused with an InputError.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "weir/base/error.hpp"
#include "weir/routing/forwarding_table.hpp"
#include "weir/routing/trace.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace {

using weir::HostId;

/// Three switches in a ring (LIDs 1 to 3) with a host at each (LIDs 4, 5 and, with LMC 1, 6).
constexpr std::string_view kRing = R"(
Switch	4 "S-a"	# "a" base port 0 lid 1 lmc 0
[1]	"S-b"[2]	# "b" lid 2 4xHDR
[2]	"S-c"[1]	# "c" lid 3 4xHDR
[3]	"H-a0"[1](a1)	# "ha" lid 4 4xHDR
Switch	4 "S-b"	# "b" base port 0 lid 2 lmc 0
[1]	"S-c"[2]	# "c" lid 3 4xHDR
[2]	"S-a"[1]	# "a" lid 1 4xHDR
[3]	"H-b0"[1](b1)	# "hb" lid 5 4xHDR
Switch	4 "S-c"	# "c" base port 0 lid 3 lmc 0
[1]	"S-a"[2]	# "a" lid 1 4xHDR
[2]	"S-b"[1]	# "b" lid 2 4xHDR
[3]	"H-c0"[1](c1)	# "hc" lid 6 4xHDR
Ca	1 "H-a0"	# "ha"
[1](a1)	"S-a"[3]	# lid 4 lmc 0 "a" lid 1 4xHDR
Ca	1 "H-b0"	# "hb"
[1](b1)	"S-b"[3]	# lid 5 lmc 0 "b" lid 2 4xHDR
Ca	1 "H-c0"	# "hc"
[1](c1)	"S-c"[3]	# lid 6 lmc 1 "c" lid 3 4xHDR
)";

const weir::topology::Graph& ring() {
  static const weir::topology::Graph graph =
      weir::topology::make_subnet_graph(weir::topology::parse_ibnetdiscover(kRing, "ring.txt"), {});
  return graph;
}

void check(const weir::routing::RoutingFunction& routing) {
  for (std::size_t a = 0; a < ring().host_count(); ++a) {
    for (std::size_t b = 0; b < ring().host_count(); ++b) {
      if (a == b) continue;
      const auto route = weir::routing::trace(ring(), routing, HostId(a), HostId(b));
      if (route.end != weir::routing::RouteEnd::delivered) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    check(weir::routing::LinearForwarding(
        ring(), weir::routing::parse_forwarding_tables(text, "fuzz.txt")));
  } catch (const weir::InputError&) {
    return 0;
  }
  return 0;
}
