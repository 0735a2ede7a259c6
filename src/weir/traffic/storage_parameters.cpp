#include "weir/traffic/storage.hpp"

namespace weir::traffic {
namespace {

using Type = ParameterType;

std::vector<Parameter> describe_storage() {
  return {
      Parameter::of(Type::any, "disks", "share of all hosts, those numbered last, or a list")
          .by_default("0.25"),
      Parameter::of(Type::any, "hosts",
                    "hosts that make I/Os, a list (default: all but the disks)"),
      Parameter::of(Type::real, "load",
                    "payload offered to the links of all disks together, in their busier "
                    "direction, as a share of what they carry; after compression")
          .by_default("0.7")
          .range(1e-9, 1000),
      Parameter::of(Type::boolean, "overload", "allow more than a disk's or host's link can carry")
          .by_default("false"),
      Parameter::of(Type::real, "compression",
                    "divide all times by this: gap, service, and with the same load also bursts "
                    "become shorter")
          .by_default("20.0")
          .range(1e-6, 1e9),
      Parameter::of(Type::real, "burst", "mean number of I/Os of a burst of a host")
          .by_default("20.0")
          .range(1, 1e9),
      Parameter::of(Type::real, "burst_tail", "Pareto exponent of this number, more than 1")
          .by_default("1.4")
          .range(0, 1000),
      Parameter::of(Type::time, "gap", "mean time between two I/Os of a burst, before compression")
          .by_default("200 us"),
      Parameter::of(Type::real, "idle_tail",
                    "Pareto exponent of the time between two bursts, more than 1; its mean follows "
                    "from the load")
          .by_default("1.2")
          .range(0, 1000),
      Parameter::of(Type::real, "cap",
                    "bursts and idle times are cut off at so many times their mean")
          .by_default("100.0")
          .range(2, 1e9),
      Parameter::of(Type::any, "sizes", "data of an I/O")
          .by_default("{ model = \"empirical\", sizes = [\"2 KiB\", \"8 KiB\", \"64 KiB\"], "
                      "weights = [0.4, 0.45, 0.15] }"),
      Parameter::of(Type::real, "reads", "share of the I/Os that read")
          .by_default("0.6")
          .range(0, 1),
      Parameter::of(Type::bytes, "request", "a read's message to the disk")
          .by_default("64 B")
          .range(1, 1 << 30),
      Parameter::of(Type::time, "service", "from a read's request to its data, before compression")
          .by_default("2 ms"),
      Parameter::of(Type::real, "zipf",
                    "popularity of disks: the k-th most popular gets a share like k^-zipf; 0: all "
                    "the same")
          .by_default("0.15")
          .range(0, 10)};
}

}  // namespace

const std::vector<Parameter>& storage_parameters() {
  static const std::vector<Parameter> parameters = describe_storage();
  return parameters;
}

}  // namespace weir::traffic
