#include "weir/traffic/traffic.hpp"

namespace weir::traffic {
namespace {

using Type = ParameterType;

std::vector<Parameter> describe_traffic() {
  return {
      Parameter::of(Type::text, "name", "name of this class of traffic in results").required(),
      Parameter::of(Type::text, "role",
                    "role in the study: hot traffic makes the congestion, cold traffic does not")
          .by_default("")
          .one_of({"", "cold", "hot"}),
      Parameter::of(Type::any, "sources",
                    "sources: \"all\", \"rest\" (hosts that are no source of another entry), a "
                    "list of hosts, or a table (see traffic.sources)")
          .by_default("all"),
      Parameter::of(Type::integer, "service_level", "service level of the packets")
          .by_default("0")
          .range(0, 15),
      Parameter::of(Type::rate, "reserve",
                    "rate for which every source asks before it sends, with an [admission] model "
                    "(default: it does not ask)")
          .at_least(8),
      Parameter::of(Type::any, "destinations", "traffic pattern, as in { model = \"uniform\" }"),
      Parameter::of(Type::any, "arrivals",
                    "arrival process, as in { model = \"constant\", load = 0.5 }"),
      Parameter::of(Type::any, "sizes",
                    "payload of the messages, as in { model = \"fixed\", size = \"4 KiB\" }"),
      Parameter::of(Type::integer, "connections",
                    "connections (queue pairs) of a source to each destination, over which its "
                    "messages are spread at random; each has an order, and with "
                    "host.source_queues = \"per-destination\" a queue, window and rate of its own")
          .by_default("1")
          .range(1, 65'535),
      Parameter::of(Type::time, "start", "time before which there is no message (default: 0)"),
      Parameter::of(Type::time, "stop",
                    "time from which on there is no message (default: the end)"),
      Parameter::of(
          Type::any, "phases",
          "phases in place of start and stop: [{ start = ..., stop = ..., load = ... }, ...]"),
      Parameter::of(Type::integer, "messages", "most messages of a source (default: no limit)")
          .range(1, 1e15),
      Parameter::of(Type::integer, "start_after_packets",
                    "data packets received in the whole network after which this traffic begins")
          .by_default("0")
          .range(0, 1e15),
      Parameter::of(Type::any, "trace",
                    "recorded messages in place of sources, destinations, arrivals and sizes: "
                    "{ file = \"app.trace\" }"),
      Parameter::of(Type::any, "storage",
                    "synthetic storage traffic in place of sources, destinations, arrivals and "
                    "sizes: { load = 0.7 }"),
      Parameter::of(Type::any, "incast",
                    "incasts in place of sources, destinations, arrivals and sizes: { fan_in = 32, "
                    "size = \"64 KB\", load = 0.1 }")};
}

std::vector<Parameter> describe_sources() {
  return {
      Parameter::of(Type::any, "of", "hosts to choose from: \"all\", \"rest\" or a list of hosts")
          .by_default("all"),
      Parameter::of(Type::text, "same_as",
                    "name of the entry whose sources these are, in place of `of`"),
      Parameter::of(Type::integers, "range", "hosts [first, last], in place of `of`")
          .range(0, 1 << 24),
      Parameter::of(Type::any, "exclude", "hosts that are no sources"),
      Parameter::of(Type::integers, "modulo",
                    "[divisor, remainder]: only hosts whose number has that remainder")
          .range(0, 1 << 24),
      Parameter::of(Type::real, "fraction",
                    "number of hosts to choose, as a share of all hosts of the network, rounded to "
                    "the nearest number")
          .range(0, 1),
      Parameter::of(Type::integer, "count", "number of hosts to choose").range(1, 1 << 24),
      Parameter::of(
          Type::text, "choose",
          "which hosts are chosen: spread evenly, random (by the seed), the first or the last ones")
          .one_of({"spread", "random", "first", "last"})};
}

}  // namespace

const std::vector<Parameter>& traffic_parameters() {
  static const std::vector<Parameter> parameters = describe_traffic();
  return parameters;
}

const std::vector<Parameter>& source_parameters() {
  static const std::vector<Parameter> parameters = describe_sources();
  return parameters;
}

const std::vector<Parameter>& phase_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::time, "start", "beginning of the phase").required(),
      Parameter::of(Type::time, "stop", "end of the phase (default: none)"),
      Parameter::of(
          Type::real, "load",
          "offered load as a fraction of the host's link rate (default: that of arrivals)")
          .range(1e-9, 1000)};
  return parameters;
}

const std::vector<Parameter>& trace_parameters() {
  static const std::vector<Parameter> parameters{
      Parameter::of(Type::path, "file",
                    "file whose first line is 'time[ns] source destination bytes' (or "
                    "'time_ns,src,dst,bytes'), followed by one message a line")
          .required(),
      Parameter::of(Type::real, "compression",
                    "factor by which all times are divided: 20 makes the traffic 20 times as dense")
          .by_default("1.0")
          .range(1e-6, 1e9)};
  return parameters;
}

}  // namespace weir::traffic
