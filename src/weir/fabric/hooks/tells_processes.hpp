#pragma once

#include <cstddef>

#include "weir/base/ranks.hpp"

namespace weir::fabric {

/// A mechanism whose instances in other processes have to know more than messages and packets
/// carry, where parts of the network are in several.
class TellsProcesses {
 public:
  virtual ~TellsProcesses() = default;
  /// It is in process `number`; before anything happens, and only if there are several.
  virtual void set_process(std::size_t number) = 0;
  /// While all parts stand still: adds what has to be known. It is there before what this part has
  /// sent since the last time.
  virtual void tell(Ranks::Parcel& parcel) = 0;
  /// What an instance in process `number`, or one in this process, has told: from `at` on, which
  /// then stands behind it.
  virtual void hear(std::size_t number, const Ranks::Parcel& parcel, std::size_t& at) = 0;
};

}  // namespace weir::fabric
