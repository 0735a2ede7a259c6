#include "weir/traffic/traffic.hpp"

namespace weir::traffic {
namespace {

using Type = ParameterType;

std::vector<Parameter> describe_traffic() {
  return {
      Parameter::of(Type::text, "name", "name of this class of traffic in results").required(),
      Parameter::of(Type::text, "role",
                    "what is known beforehand: hot traffic makes the congestion, cold does not")
          .by_default("")
          .one_of({"", "cold", "hot"}),
      Parameter::of(
          Type::any, "sources",
          "\"all\", \"rest\" (hosts that are no source of another entry), a list of hosts, "
          "or a table")
          .by_default("all"),
      Parameter::of(Type::integer, "service_level", "service level of the packets")
          .by_default("0")
          .range(0, 15),
      Parameter::of(Type::rate, "reserve",
                    "with an [admission] model: rate that every source asks for before it sends "
                    "(default: it does not ask)")
          .at_least(8),
      Parameter::of(Type::any, "destinations", "a pattern: { model = \"uniform\" }"),
      Parameter::of(Type::any, "arrivals",
                    "an arrival process: { model = \"constant\", load = 0.5 }"),
      Parameter::of(Type::any, "sizes",
                    "payload of the messages: { model = \"fixed\", size = \"4 KiB\" }"),
      Parameter::of(Type::time, "start", "no message before (default: 0)"),
      Parameter::of(Type::time, "stop", "no message from then on (default: the end)"),
      Parameter::of(Type::any, "phases",
                    "in place of start and stop: [{ start = ..., stop = ..., load = ... }, ...]"),
      Parameter::of(Type::integer, "messages", "at most so many messages a source").range(1, 1e15),
      Parameter::of(Type::integer, "start_after_packets",
                    "begin when so many data packets were received network-wide")
          .by_default("0")
          .range(0, 1e15),
      Parameter::of(Type::any, "trace",
                    "recorded messages in place of sources, destinations, arrivals and sizes: "
                    "{ file = \"app.trace\" }"),
      Parameter::of(Type::any, "storage",
                    "synthetic storage traffic in place of them: { load = 0.7 }")};
}

std::vector<Parameter> describe_sources() {
  return {
      Parameter::of(Type::any, "of", "\"all\", \"rest\" or a list of hosts").by_default("all"),
      Parameter::of(Type::text, "same_as", "in place of `of`: the sources of the entry so named"),
      Parameter::of(Type::integers, "range", "in place of `of`: hosts [first, last]")
          .range(0, 1 << 24),
      Parameter::of(Type::any, "exclude", "hosts that are no sources"),
      Parameter::of(Type::integers, "modulo",
                    "[divisor, remainder]: only hosts with number mod divisor = remainder")
          .range(0, 1 << 24),
      Parameter::of(Type::real, "fraction",
                    "so many of the remaining hosts, as a share of all hosts of the network, "
                    "rounded to the nearest number")
          .range(0, 1),
      Parameter::of(Type::integer, "count", "so many of the remaining hosts").range(1, 1 << 24),
      Parameter::of(Type::text, "choose",
                    "which of them: spread evenly (default), random (by the seed), first or last")
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
      Parameter::of(Type::time, "start", "begin of the phase").required(),
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
                    "first line 'time[ns] source destination bytes' (or 'time_ns,src,dst,bytes'), "
                    "then one message a line")
          .required(),
      Parameter::of(Type::real, "compression",
                    "divide all times by this: 20 makes the traffic 20 times as dense")
          .by_default("1.0")
          .range(1e-6, 1e9)};
  return parameters;
}

}  // namespace weir::traffic
