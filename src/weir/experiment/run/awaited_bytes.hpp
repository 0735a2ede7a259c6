#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"

namespace weir::experiment {

/// Payload that hosts of a divided network have yet to receive before something can be over. As
/// long as one of them lacks more than its link brings between two meetings of the threads, it is
/// not over before they meet again.
class AwaitedBytes {
 public:
  explicit AwaitedBytes(const fabric::Fabric& fabric);

  /// Of a host, those in other processes left out; while all threads stand still.
  void add(HostId host, Bytes bytes);
  /// A packet with so much payload of what is awaited is at its host; told by the thread of its
  /// part.
  void arrive(std::size_t part, HostId host, std::int64_t payload) {
    Host& one = hosts_[host.index()];
    const bool lacked_more = one.lacks > one.enough;
    one.lacks -= payload;
    if (lacked_more && one.lacks <= one.enough) --lacking_[part].hosts;
  }
  /// Some host lacks more than can come between two meetings; while all threads stand still.
  [[nodiscard]] bool holds() const { return holds_elsewhere_ || holds_here(); }
  /// The same of hosts in this process, and in others, which say so.
  [[nodiscard]] bool holds_here() const;
  void hear(bool holds_elsewhere) { holds_elsewhere_ = holds_elsewhere; }

 private:
  struct Host {
    std::int64_t lacks = 0;
    std::int64_t enough = 0;  ///< that its link brings between two meetings
  };
  struct alignas(64) Part {
    std::size_t hosts = 0;  ///< that lack more
  };

  const fabric::Fabric& fabric_;
  std::vector<Host> hosts_;
  std::vector<Part> lacking_;
  bool holds_elsewhere_ = false;
};

}  // namespace weir::experiment
