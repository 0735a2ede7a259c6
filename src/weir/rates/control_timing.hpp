#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/base/units.hpp"
#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// What control packets take beside the wires (zdornov2009, chapter 6, Table 6.2); rates and delays
/// of links stand in the ControlPlane.
struct ControlTiming {
  Time routing = nanoseconds(100);  ///< in switches, after the tail has arrived
  Bytes control_size{40};
  Time control_processing = nanoseconds(60);
  Bytes broadcast_size{8};
  Time broadcast_processing = nanoseconds(30);
  Time reduction = nanoseconds(200);  ///< of the answers of an element's neighbours (3.15)
  Bytes result_header{8};             ///< before 8 B for every application
  Bytes fields_size{16};              ///< what a data packet carries of piggy-backed probing (3.8)

  [[nodiscard]] Bytes size(MessageClass sort, std::size_t applications) const {
    if (sort == MessageClass::broadcast) return broadcast_size;
    if (sort == MessageClass::fields) return fields_size;
    if (sort == MessageClass::result) {
      return result_header + Bytes(8 * static_cast<std::int64_t>(applications));
    }
    return control_size;
  }
  /// At the input of a switch for messages between neighbours, at its output for those of flows.
  [[nodiscard]] Time processing(MessageClass sort) const {
    return sort == MessageClass::broadcast ? broadcast_processing : control_processing;
  }
};

/// What control packets have cost.
struct ControlCounters {
  std::uint64_t along = 0;          ///< sent by sources along routes
  std::uint64_t over = 0;           ///< sent from neighbour to neighbour
  std::uint64_t with_data = 0;      ///< fields that rode on data packets
  std::uint64_t with_set_up = 0;    ///< messages that rode on packets that set a path up
  std::uint64_t transmissions = 0;  ///< on links, of all of these
  Bytes bytes;                      ///< likewise
  Time longest_trip;                ///< of a packet along a route and back
};

}  // namespace weir::rates
