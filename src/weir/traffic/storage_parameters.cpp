#include "weir/traffic/storage.hpp"

namespace weir::traffic {
namespace {

using Type = ParameterType;

std::vector<Parameter> describe_storage() {
  return {
      Parameter::of(Type::any, "disks",
                    "hosts that are disks: a share of all hosts, those numbered last, or a list")
          .by_default("0.25"),
      Parameter::of(Type::any, "hosts",
                    "list of the hosts that make I/Os (default: all but the disks)"),
      Parameter::of(Type::real, "load",
                    "payload offered to the links of all disks together, in their busier "
                    "direction, as a share of what they can carry, after compression")
          .by_default("0.7")
          .range(1e-9, 1000),
      Parameter::of(Type::boolean, "overload",
                    "whether a disk or host may be offered more than its link can carry")
          .by_default("false"),
      Parameter::of(Type::real, "compression",
                    "factor by which all times are divided: gap, service, and with the same load "
                    "also the length of bursts")
          .by_default("20.0")
          .range(1e-6, 1e9),
      Parameter::of(Type::real, "burst", "mean number of I/Os in a burst of a host")
          .by_default("20.0")
          .range(1, 1e9),
      Parameter::of(Type::real, "burst_tail",
                    "Pareto exponent of the number of I/Os in a burst, more than 1")
          .by_default("1.4")
          .range(0, 1000),
      Parameter::of(Type::time, "gap", "mean time between two I/Os of a burst, before compression")
          .by_default("200 us"),
      Parameter::of(Type::real, "idle_tail",
                    "Pareto exponent of the time between two bursts, more than 1; the mean follows "
                    "from the load")
          .by_default("1.2")
          .range(0, 1000),
      Parameter::of(Type::real, "cap",
                    "multiple of their mean at which bursts and idle times are cut off")
          .by_default("100.0")
          .range(2, 1e9),
      Parameter::of(Type::any, "sizes", "distribution of the data of an I/O")
          .by_default("{ model = \"empirical\", sizes = [\"2 KiB\", \"8 KiB\", \"64 KiB\"], "
                      "weights = [0.4, 0.45, 0.15] }"),
      Parameter::of(Type::real, "reads", "share of the I/Os that read")
          .by_default("0.6")
          .range(0, 1),
      Parameter::of(Type::bytes, "request", "size of the message that asks a disk for a read")
          .by_default("64 B")
          .range(1, 1 << 30),
      Parameter::of(Type::time, "service",
                    "time from the arrival of a read's request to its data, before compression")
          .by_default("2 ms"),
      Parameter::of(Type::real, "zipf",
                    "exponent of the popularity of disks: the k-th most popular gets a share in "
                    "proportion to k^-zipf; 0: all the same")
          .by_default("0.15")
          .range(0, 10)};
}

}  // namespace

const std::vector<Parameter>& storage_parameters() {
  static const std::vector<Parameter> parameters = describe_storage();
  return parameters;
}

}  // namespace weir::traffic
