#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weir/topology/graph.hpp"
#include "weir/topology/import_text.hpp"

namespace weir::topology {

/// Highest unicast LID of an InfiniBand subnet (InfiniBand Architecture, vol. 1, 4.1.3).
inline constexpr std::uint16_t kHighestUnicastLid = 0xBFFF;

/// A cabled port as one node's block tells it.
struct DiscoveredPort {
  std::size_t line = 0;
  std::uint16_t number = 0;  ///< from 1
  std::uint16_t lid = 0;     ///< of an adapter's port; 0 on switches, whose LID is the node's
  std::uint8_t lmc = 0;
  std::uint64_t guid = 0;  ///< of an adapter's port; 0 where the file does not tell it
  char remote_kind = 'S';  ///< 'S' switch, 'H' channel adapter, 'R' router
  std::uint64_t remote_guid = 0;
  std::uint16_t remote_port = 0;
  std::uint16_t remote_lid = 0;
  std::string speed;  ///< "4xHDR", as written
  Rate rate;          ///< data rate of `speed`; 0 when it says "???"
};

/// One block of the file.
struct DiscoveredNode {
  std::size_t line = 0;
  char kind = 'S';
  std::uint64_t guid = 0;
  std::uint64_t port_guid = 0;  ///< of a switch's own port 0; 0 where the file does not tell it
  std::uint16_t port_count = 0;
  std::uint16_t lid = 0;  ///< of a switch
  std::uint8_t lmc = 0;   ///< of a switch
  std::string name;
  std::vector<DiscoveredPort> ports;  ///< cabled ones only, by number

  /// Name with GUID, for messages: 'leaf1' (0x00200001).
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] bool is_switch() const { return kind == 'S'; }
};

/// What `ibnetdiscover` printed.
struct DiscoveredSubnet {
  TextPlace place;
  std::vector<DiscoveredNode> nodes;
};

/// Reads the output of ibnetdiscover (also with -g, -f, --node-name-map). Checks each line by
/// itself and that no node or port stands there twice. Throws InputError "file:line: ...".
DiscoveredSubnet parse_ibnetdiscover(std::string_view text, const std::string& file);

/// Data rate of a link after its line coding, from "4xHDR" and the like; 0 when width or speed is
/// given as unknown ("???"); nothing when the text is no link speed at all.
std::optional<Rate> link_data_rate(std::string_view width_and_speed);

/// Addresses of an imported subnet, for its forwarding tables and the counters of its ports.
class SubnetShape : public Shape {
 public:
  struct Address {
    std::uint64_t guid = 0;       ///< of the node
    std::uint16_t lid = 0;        ///< base LID
    std::uint8_t lmc = 0;         ///< the port answers to 2^lmc LIDs from the base on
    std::uint16_t port = 0;       ///< number of an adapter's port, which is its host; 0 of a switch
    std::uint64_t port_guid = 0;  ///< of that port; 0: not told
  };
  std::vector<Address> hosts;     ///< per HostId
  std::vector<Address> switches;  ///< per SwitchId
  /// Per LID 0..kHighestUnicastLid: the node that answers to it. Invalid: nobody in the graph.
  std::vector<NodeId> owner;
  /// LIDs of adapters that the import left out on request (see SubnetOptions), sorted.
  std::vector<std::uint16_t> excluded_lids;
  /// GUIDs of those adapters and of their ports.
  std::set<std::uint64_t> excluded_guids;
  std::map<std::uint64_t, SwitchId> switch_of_guid;
};

struct SubnetOptions {
  Time delay = nanoseconds(30);               ///< of every cable
  bool has_own_delay = false;                 ///< it is not that of [link]
  std::optional<Rate> rate_of_unknown_speed;  ///< for links whose speed reads "???"
  std::vector<std::string> exclude;           ///< adapters whose name contains one are left out
};

/// Checks the subnet as a whole and makes its graph, with a SubnetShape. Every cabled port of an
/// adapter or router becomes a host, called as the adapter, with "/P2" when the adapter has several
/// cabled ports. Nodes that share a name get "@0x" and their GUID. Hosts, and switches, are
/// numbered in the natural order of their names (node2 before node10). Throws InputError
/// "file:line: ..." that names node and port or LID.
Graph make_subnet_graph(const DiscoveredSubnet& subnet, const SubnetOptions& options);

}  // namespace weir::topology
