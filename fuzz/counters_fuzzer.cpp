// Port counters: any bytes are counters of a fixed fabric, or are refused with an InputError.
// Between a snapshot and itself nothing is counted.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "weir/base/error.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"
#include "weir/topology/port_counters.hpp"

namespace {

/// A switch with LID 1 and two hosts, of which the second has LIDs 4 and 5.
constexpr std::string_view kPair = R"(
Switch	4 "S-a"	# "a" base port 0 lid 1 lmc 0
[1]	"H-b0"[1](b1)	# "hb" lid 2 4xHDR
[2]	"H-c0"[1](c1)	# "hc" lid 4 4xHDR
Ca	1 "H-b0"	# "hb"
[1](b1)	"S-a"[1]	# lid 2 lmc 0 "a" lid 1 4xHDR
Ca	1 "H-c0"	# "hc"
[1](c1)	"S-a"[2]	# lid 4 lmc 1 "a" lid 1 4xHDR
)";

const weir::topology::Graph& pair() {
  static const weir::topology::Graph graph =
      weir::topology::make_subnet_graph(weir::topology::parse_ibnetdiscover(kPair, "pair.txt"), {});
  return graph;
}

bool is_nothing(const weir::topology::LinkCount& count) { return count.count == 0; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto snapshot = weir::topology::parse_port_counters(text, "fuzz.txt");
    (void)weir::topology::count_links(pair(), snapshot, nullptr);
    for (const auto& link : weir::topology::count_links(pair(), snapshot, &snapshot).links) {
      if (!is_nothing(link.words) || !is_nothing(link.ticks)) std::abort();
    }
  } catch (const weir::InputError&) {
    return 0;
  }
  return 0;
}
