#include "weir/traffic/traffic.hpp"

namespace weir::traffic {
namespace {

StorageKeys usual_storage() {
  StorageKeys usual;
  usual.sizes =
      *parse_toml(R"(sizes = { model = "empirical", )"
                  R"(sizes = ["2 KiB", "8 KiB", "64 KiB"], weights = [0.4, 0.45, 0.15] })",
                  "default")
           .find("sizes");
  return usual;
}

}  // namespace

const Keys<StorageKeys>& storage_keys() {
  using Storage = StorageKeys;
  static const Keys<S> keys(
      usual_storage(),
      {key(&Storage::disks, "disks",
           "hosts that are disks: a share of all hosts, those numbered last, or a list"),
       key(&Storage::hosts, "hosts",
           "list of the hosts that make I/Os (default: all but the disks)"),
       key(&Storage::load, "load",
           "payload offered to the links of all disks together, in their busier direction, as a "
           "share of what they can carry, after compression")
           .range(1e-9, 1000),
       key(&Storage::overload, "overload",
           "whether a disk or host may be offered more than its link can carry"),
       key(&Storage::compression, "compression",
           "factor by which all times are divided: gap, service, and with the same load also the "
           "length of bursts")
           .range(1e-6, 1e9),
       key(&Storage::burst, "burst", "mean number of I/Os in a burst of a host").range(1, 1e9),
       key(&Storage::burst_tail, "burst_tail",
           "Pareto exponent of the number of I/Os in a burst, more than 1")
           .range(0, 1000),
       key(&Storage::gap, "gap", "mean time between two I/Os of a burst, before compression"),
       key(&Storage::idle_tail, "idle_tail",
           "Pareto exponent of the time between two bursts, more than 1; the mean follows from the "
           "load")
           .range(0, 1000),
       key(&Storage::cap, "cap",
           "multiple of their mean at which bursts and idle times are cut off")
           .range(2, 1e9),
       key(&Storage::sizes, "sizes", "distribution of the data of an I/O"),
       key(&Storage::reads, "reads", "share of the I/Os that read").range(0, 1),
       key(&Storage::request, "request", "size of the message that asks a disk for a read")
           .range(1, 1 << 30),
       key(&Storage::service, "service",
           "time from the arrival of a read's request to its data, before compression"),
       key(&Storage::zipf, "zipf",
           "exponent of the popularity of disks: the k-th most popular gets a share in proportion "
           "to k^-zipf; 0: all the same")
           .range(0, 10)});
  return keys;
}

}  // namespace weir::traffic
