#pragma once

#include <string>

namespace weir::experiment {

/// 16 hosts, 10 Gbps, packets of 2 KiB that take 1.6384 us, 8 packets a buffer; `run`: keys of
/// [experiment].
inline std::string tree_of_16(const std::string& run, const std::string& more) {
  return "[experiment]\n" + run +
         "[topology]\nmodel = \"k-ary-n-tree\"\nk = 4\nn = 2\n[routing]\nmodel = \"d-mod-k\"\n"
         "[link]\nrate = \"10 Gbps\"\ndelay = \"15 ns\"\n"
         "[switch]\narchitecture = \"iq\"\narbiter = \"first-come\"\nvoq = true\n"
         "[buffer]\ningress = \"16 KiB\"\n"
         "[host]\nmtu = \"2 KiB\"\nheader = \"0 B\"\nsource_queues = \"per-destination\"\n" +
         more;
}

}  // namespace weir::experiment
