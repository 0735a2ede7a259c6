#include "weir/topology/import_edge_list.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "weir/topology/import_text.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

constexpr std::size_t kLongestName = 255;
constexpr std::size_t kMostPortsOfNode = 256;
constexpr std::size_t kMostNamesCompared = 20'000;

struct Place {
  std::size_t line = 0;
  std::size_t column = 0;
};

/// One port of a declared node: taken as transmitter, as receiver, or both, on the line given.
struct PortUse {
  std::size_t transmitter_line = 0;  ///< 0: free
  std::size_t receiver_line = 0;
};

struct Node {
  bool is_host = false;
  Place place;
  std::string name;
  std::vector<PortUse> ports;
  std::size_t next_free = 0;  ///< no port below is free in both directions
};

struct End {
  Place place;
  std::string name;
  std::optional<std::size_t> port;
};

struct Link {
  End a;
  End b;
  LinkSpec spec;
  bool one_way = false;
};

class EdgeListParser {
 public:
  EdgeListParser(std::string_view text, const std::string& file, const LinkSpec& link)
      : reader_(text), place_(file), default_link_(link) {}

  Graph parse() {
    while (reader_.next()) parse_line();
    for (const Link& link : links_) reserve_named(link);
    for (Link& link : links_) take_free(link);
    check_hosts();
    return build();
  }

 private:
  void parse_line();
  void parse_node(bool is_host, LineCursor& cursor);
  void parse_link(LineCursor& cursor);
  void parse_option(Link& link, LineCursor& cursor);
  template <class Read>
  auto quantity(LineCursor& cursor, Read read) const;
  std::string name(LineCursor& cursor) const;
  std::string value(LineCursor& cursor) const;
  std::optional<std::string> quoted(LineCursor& cursor) const;
  End end(LineCursor& cursor) const;
  void expect_end(LineCursor& cursor) const;

  Node& node(const End& end);
  void reserve(const End& end, std::size_t port, bool transmitter, bool receiver);
  void reserve_named(const Link& link);
  void take_free(Link& link);
  void take_free(End& end, bool transmitter, bool receiver);
  void check_hosts() const;
  Graph build();

  [[nodiscard]] InputError error(const Place& at, std::string_view message) const {
    return place_.error(at.line, at.column, message);
  }
  [[nodiscard]] Place here(const LineCursor& cursor) const {
    return {reader_.number(), cursor.column()};
  }
  [[nodiscard]] std::string nearest(const std::string& wrong) const;

  LineReader reader_;
  TextPlace place_;
  LinkSpec default_link_;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<Link> links_;
  std::size_t ports_of_all_ = 0;
};

bool ends_word(char c) { return c == ' ' || c == '\t' || c == '#' || c == '\0'; }

void EdgeListParser::parse_line() {
  LineCursor cursor(reader_.line());
  cursor.skip_blanks();
  if (cursor.at_end() || cursor.peek() == '#') return;
  const Place start = here(cursor);
  const std::string_view word = cursor.word();
  if (word == "host" || word == "switch") {
    parse_node(word == "host", cursor);
  } else if (word == "link") {
    parse_link(cursor);
  } else {
    static const std::vector<std::string> kStatements{"host", "switch", "link"};
    throw error(start, fmt::format("unknown statement '{}'{}", excerpt(word),
                                   suggestion(excerpt(word), kStatements)));
  }
  expect_end(cursor);
}

void EdgeListParser::expect_end(LineCursor& cursor) const {
  cursor.skip_blanks();
  if (cursor.at_end() || cursor.peek() == '#') return;
  throw error(here(cursor), fmt::format("'{}' is too much on this line", excerpt(cursor.rest())));
}

/// Text in double quotes, with \" and \\ inside; nothing when the cursor is at no quote.
std::optional<std::string> EdgeListParser::quoted(LineCursor& cursor) const {
  const Place start = here(cursor);
  if (!cursor.accept("\"")) return std::nullopt;
  std::string text;
  while (!cursor.at_end()) {
    if (cursor.accept("\"")) return text;
    if (cursor.peek() == '\\') cursor.advance(1);
    if (cursor.at_end()) break;
    text += cursor.peek();
    cursor.advance(1);
  }
  throw error(start, "a quote that is never closed");
}

std::string EdgeListParser::name(LineCursor& cursor) const {
  cursor.skip_blanks();
  const Place start = here(cursor);
  std::string text;
  if (auto in_quotes = quoted(cursor)) {
    text = std::move(*in_quotes);
  } else {
    while (!ends_word(cursor.peek()) && cursor.peek() != ':' && cursor.peek() != '"') {
      text += cursor.peek();
      cursor.advance(1);
    }
  }
  if (text.empty()) throw error(start, "expected the name of a node");
  if (text.size() > kLongestName) {
    throw error(start, fmt::format("a name of {} bytes: at most {}", text.size(), kLongestName));
  }
  return text;
}

void EdgeListParser::parse_node(bool is_host, LineCursor& cursor) {
  Node node;
  node.is_host = is_host;
  cursor.skip_blanks();
  node.place = here(cursor);
  node.name = name(cursor);
  std::size_t ports = 1;
  if (!is_host) {
    cursor.skip_blanks();
    const auto count = cursor.number(10, kMostPortsOfNode);
    if (!count || *count == 0 || !ends_word(cursor.peek())) {
      throw error(here(cursor), fmt::format("expected the number of ports of switch '{}', 1 to {}",
                                            excerpt(node.name), kMostPortsOfNode));
    }
    ports = static_cast<std::size_t>(*count);
  }
  const auto [first, is_new] = index_.emplace(node.name, nodes_.size());
  if (!is_new) {
    throw error(node.place, fmt::format("'{}' is declared twice: first on line {}",
                                        excerpt(node.name), nodes_[first->second].place.line));
  }
  ports_of_all_ += ports;
  if (ports_of_all_ > kMostPortsOfAll) {
    throw error(node.place, fmt::format("more than {} ports in the network", kMostPortsOfAll));
  }
  node.ports.resize(ports);
  nodes_.push_back(std::move(node));
}

End EdgeListParser::end(LineCursor& cursor) const {
  cursor.skip_blanks();
  End end{here(cursor), name(cursor), std::nullopt};
  if (cursor.accept(":")) {
    const auto port = cursor.number(10, kMostPortsOfNode - 1);
    if (!port)
      throw error(here(cursor),
                  fmt::format("expected a port number from 0 to {}", kMostPortsOfNode - 1));
    end.port = static_cast<std::size_t>(*port);
  }
  if (!ends_word(cursor.peek())) {
    throw error(here(cursor),
                fmt::format("'{}' does not belong to NAME:PORT", excerpt(cursor.rest())));
  }
  return end;
}

void EdgeListParser::parse_link(LineCursor& cursor) {
  Link link;
  link.spec = default_link_;
  link.a = end(cursor);
  link.b = end(cursor);
  for (;;) {
    cursor.skip_blanks();
    if (cursor.at_end() || cursor.peek() == '#') break;
    parse_option(link, cursor);
  }
  links_.push_back(std::move(link));
}

std::string EdgeListParser::value(LineCursor& cursor) const {
  if (auto in_quotes = quoted(cursor)) return std::move(*in_quotes);
  std::string text;
  for (; !ends_word(cursor.peek()); cursor.advance(1)) text += cursor.peek();
  return text;
}

/// The value of an option, by a parser of base/units.hpp.
template <class Read>
auto EdgeListParser::quantity(LineCursor& cursor, Read read) const {
  const Place start = here(cursor);
  const std::string text = value(cursor);
  if (text.size() > kLongestName) throw error(start, "this value is too long");
  try {
    return read(text);
  } catch (const std::invalid_argument& problem) {
    throw error(start, problem.what());
  }
}

void EdgeListParser::parse_option(Link& link, LineCursor& cursor) {
  const Place start = here(cursor);
  if (cursor.accept("rate=")) {
    link.spec.rate = quantity(cursor, parse_rate);
    if (link.spec.rate.count <= 0) throw error(start, "the rate must be positive");
  } else if (cursor.accept("delay=")) {
    link.spec.delay = quantity(cursor, parse_time);
    link.spec.has_own_delay = true;
    if (link.spec.delay.count < 0) throw error(start, "the delay must not be negative");
  } else {
    const std::string word = value(cursor);
    if (word != "oneway") {
      static const std::vector<std::string> kOptions{"rate=", "delay=", "oneway"};
      throw error(start, fmt::format("unknown option '{}' of a link{}", excerpt(word),
                                     suggestion(excerpt(word), kOptions)));
    }
    link.one_way = true;
  }
  if (!ends_word(cursor.peek())) {
    throw error(here(cursor), fmt::format("'{}' does not belong here", excerpt(cursor.rest())));
  }
}

/// " (did you mean 'x'?)". Looks at names of about the same length only, and not at all of many.
std::string EdgeListParser::nearest(const std::string& wrong) const {
  std::vector<std::string> alike;
  for (const Node& node : nodes_) {
    const std::size_t longer = std::max(node.name.size(), wrong.size());
    const std::size_t shorter = std::min(node.name.size(), wrong.size());
    if (longer - shorter > 3 || longer > 64) continue;
    alike.push_back(node.name);
    if (alike.size() == kMostNamesCompared) break;
  }
  const std::string found = nearest_name(wrong, alike);
  return found.empty() ? "" : fmt::format(" (did you mean '{}'?)", found);
}

Node& EdgeListParser::node(const End& end) {
  const auto it = index_.find(end.name);
  if (it == index_.end()) {
    throw error(end.place, fmt::format("no host or switch is called '{}'{}", excerpt(end.name),
                                       nearest(end.name)));
  }
  return nodes_[it->second];
}

void EdgeListParser::reserve(const End& end, std::size_t port, bool transmitter, bool receiver) {
  Node& owner = node(end);
  if (port >= owner.ports.size()) {
    throw error(end.place,
                owner.is_host ? fmt::format("'{}' is a host: it has port 0 only", excerpt(end.name))
                              : fmt::format("'{}' has ports 0 to {}, no port {}", excerpt(end.name),
                                            owner.ports.size() - 1, port));
  }
  PortUse& use = owner.ports[port];
  const std::size_t taken = transmitter && use.transmitter_line != 0 ? use.transmitter_line
                            : receiver                               ? use.receiver_line
                                                                     : 0;
  if (taken != 0) {
    throw error(end.place, fmt::format("port {} of '{}' is already cabled by line {}", port,
                                       excerpt(end.name), taken));
  }
  if (transmitter) use.transmitter_line = end.place.line;
  if (receiver) use.receiver_line = end.place.line;
}

void EdgeListParser::reserve_named(const Link& link) {
  const bool both = !link.one_way;
  if (node(link.a).is_host && node(link.b).is_host && link.one_way) {
    throw error(link.a.place,
                "a one-way link between two hosts: only a full-duplex one can join them");
  }
  if (link.a.port || node(link.a).is_host) reserve(link.a, link.a.port.value_or(0), true, both);
  if (link.b.port || node(link.b).is_host) reserve(link.b, link.b.port.value_or(0), both, true);
}

void EdgeListParser::take_free(End& end, bool transmitter, bool receiver) {
  Node& owner = node(end);
  if (end.port || owner.is_host) {
    end.port = end.port.value_or(0);
    return;
  }
  auto& ports = owner.ports;
  while (owner.next_free < ports.size() && ports[owner.next_free].transmitter_line != 0 &&
         ports[owner.next_free].receiver_line != 0) {
    ++owner.next_free;
  }
  for (std::size_t p = owner.next_free; p < ports.size(); ++p) {
    const bool is_free = (!transmitter || ports[p].transmitter_line == 0) &&
                         (!receiver || ports[p].receiver_line == 0);
    if (!is_free) continue;
    end.port = p;
    reserve(end, p, transmitter, receiver);
    return;
  }
  throw error(end.place, fmt::format("all {} ports of switch '{}' are cabled already", ports.size(),
                                     excerpt(end.name)));
}

void EdgeListParser::take_free(Link& link) {
  take_free(link.a, true, !link.one_way);
  take_free(link.b, !link.one_way, true);
  if (link.a.name == link.b.name && link.a.port == link.b.port) {
    throw error(link.b.place, fmt::format("port {} of '{}' cannot lead to itself", *link.b.port,
                                          excerpt(link.b.name)));
  }
}

void EdgeListParser::check_hosts() const {
  bool any = false;
  for (const Node& node : nodes_) {
    if (!node.is_host) continue;
    any = true;
    const PortUse& use = node.ports.front();
    if (use.transmitter_line == 0 || use.receiver_line == 0) {
      throw error(node.place,
                  fmt::format("host '{}' {}", excerpt(node.name),
                              use.transmitter_line == 0 && use.receiver_line == 0 ? "is not cabled"
                              : use.transmitter_line == 0 ? "has no link that leaves it"
                                                          : "has no link that leads to it"));
    }
  }
  if (!any) throw place_.error("no 'host' line: a network needs at least one host");
}

/// A port of a node that the builder knows.
struct BuiltEnd {
  bool is_host;
  std::uint32_t id;
  std::size_t port;
};

void join(GraphBuilder& builder, const BuiltEnd& from, const BuiltEnd& to, const LinkSpec& link) {
  if (from.is_host) {
    builder.connect_one_way(HostId(from.id), SwitchId(to.id), to.port, link);
  } else if (to.is_host) {
    builder.connect_one_way(SwitchId(from.id), from.port, HostId(to.id), link);
  } else {
    builder.connect_one_way(SwitchId(from.id), from.port, SwitchId(to.id), to.port, link);
  }
}

Graph EdgeListParser::build() {
  GraphBuilder builder("edge-list");
  std::vector<std::uint32_t> id;
  for (const Node& node : nodes_) {
    id.push_back(node.is_host ? builder.add_host(node.name).value
                              : builder.add_switch(node.ports.size(), node.name).value);
  }
  for (const Link& link : links_) {
    const std::size_t a = index_.find(link.a.name)->second;
    const std::size_t b = index_.find(link.b.name)->second;
    if (nodes_[a].is_host && nodes_[b].is_host) {
      builder.connect(HostId(id[a]), HostId(id[b]), link.spec);
      continue;
    }
    join(builder, {nodes_[a].is_host, id[a], *link.a.port},
         {nodes_[b].is_host, id[b], *link.b.port}, link.spec);
    if (link.one_way) continue;
    join(builder, {nodes_[b].is_host, id[b], *link.b.port},
         {nodes_[a].is_host, id[a], *link.a.port}, link.spec);
  }
  return builder.build();
}

struct EdgeListSettings {
  FilePath file;
};

const TopologyRegistration kEdgeList(
    topology_registry(),
    {"edge-list", "Any network, from a file with a line for each host, switch and link",
     "weir2026, docs/guide/experiment-files.md"},
    Keys<EdgeListSettings>{
        key(&EdgeListSettings::file, "file",
            "file with the list, in the format that weir topology --export edge-list writes")
            .required()},
    [](const Checked<EdgeListSettings>& settings, const LinkSpec& link) {
      const std::string& path = settings->file.name;
      return parse_edge_list(text_of(settings, &EdgeListSettings::file), path, link);
    });
const NaturalRouting kEdgeListRouting("edge-list", {"up-down"});

}  // namespace

Graph parse_edge_list(std::string_view text, const std::string& file, const LinkSpec& link) {
  return EdgeListParser(text, file, link).parse();
}

}  // namespace weir::topology
