#pragma once

#include <cstdint>
#include <vector>

#include "weir/fabric/hooks/side.hpp"

namespace weir {
class StateArchive;
}

namespace weir::fabric {

/// For which destinations packets of a host end up in another queue of its injection buffer than
/// before.
struct InjectionChanges {
  bool any = false;
  bool all = false;                         ///< for any destination
  std::vector<std::uint32_t> destinations;  ///< else these, perhaps several times

  void add_all() { any = all = true; }
  void add(std::uint32_t destination) {
    any = true;
    if (all) return;
    if (destinations.size() == kMost) {
      all = true;
    } else {
      destinations.push_back(destination);
    }
  }
  void clear() {
    any = all = false;
    destinations.clear();
  }
  void checkpoint(StateArchive& state);

 private:
  static constexpr std::size_t kMost = 64;
};

/// What may enter the injection buffer of a host, whose queues a mechanism takes and gives back.
class InjectionBufferRules {
 public:
  /// Queue of the injection buffer of a host, by number, that a packet from the one host to the
  /// other, of the class of `side`, would end up in: data of this connection, or an ACK about one
  /// with this number.
  [[nodiscard]] virtual std::uint32_t injection_queue(Side side, std::uint32_t source,
                                                      std::uint32_t destination,
                                                      std::uint16_t connection) = 0;
  /// How answers of injection_queue() have changed; who has read it clears it.
  [[nodiscard]] virtual InjectionChanges& injection_changes(std::uint32_t port) = 0;
  /// May the injection buffer take a packet that would end up in that queue? It has to have room
  /// for the largest that there is.
  [[nodiscard]] virtual bool admits(Side side, std::uint32_t queue) const = 0;
  /// No packet would be admitted, whatever its destination and class; a quick answer.
  [[nodiscard]] virtual bool admits_nothing(std::uint32_t port) const = 0;

 protected:
  ~InjectionBufferRules() = default;
};

}  // namespace weir::fabric
