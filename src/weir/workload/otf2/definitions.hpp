#pragma once

#include <otf2/otf2.h>

#include <map>
#include <string>
#include <vector>

#include "weir/workload/otf2/archive.hpp"
#include "weir/workload/otf2/library.hpp"

namespace weir::workload {

/// A location of threads, which has a file of events.
struct Otf2Location {
  OTF2_LocationRef id = 0;
  std::string name;
  std::uint64_t events = 0;                    ///< that it should have
  std::uint32_t rank = OTF2_UNDEFINED_UINT32;  ///< none: a thread beside that of MPI
};

/// What the archive defines once for all locations.
struct Otf2Definitions {
  std::uint64_t ticks_per_second = 0;
  std::size_t ranks = 0;
  std::vector<Otf2Location> locations;
  std::map<std::uint32_t, std::string> calls;
  std::map<std::uint32_t, Otf2Communicator> communicators;
  std::map<OTF2_RmaWinRef, bool> windows;  ///< whether they are of an accelerator
};

/// Throws InputError where there is no MPI program in it.
Otf2Definitions read_definitions(const Otf2Library& library, OTF2_Reader* reader);

}  // namespace weir::workload
