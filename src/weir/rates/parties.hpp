#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/base/state_archive.hpp"
#include "weir/rates/protocol.hpp"

namespace weir::rates {

/// Starts and ends of the parties of a protocol: flows, or for DAFA applications. A party's end
/// takes a while: the answer to its last packet has to be back, then its links have to be told. One
/// that starts again meanwhile starts when that is through, so that its packets never meet those of
/// its former self; one that ends before then has not been there.
///
/// `Protocol` derives from this. It has begin(party) and finish(party), which are called in turn,
/// and calls gone(party) when nothing of the party is left in links or on its way.
template <class Protocol>
class ChangingParties : public ProtocolDefaults {
 public:
  explicit ChangingParties(std::size_t parties) : parties_(parties, Party::absent) {}

  /// Throws RunError when it is there.
  void start(std::uint32_t party) {
    Party& state = parties_[party];
    if (state == Party::leaving) {
      state = Party::comes_back;
      return;
    }
    if (state != Party::absent) throw RunError(fmt::format("party {} starts twice", party));
    state = Party::present;
    protocol().begin(party);
  }
  /// Throws RunError when it is not there.
  void end(std::uint32_t party) {
    Party& state = parties_[party];
    if (state == Party::comes_back) {
      state = Party::leaving;
      return;
    }
    if (state != Party::present) throw RunError(fmt::format("party {} ends twice", party));
    state = Party::leaving;
    protocol().finish(party);
  }

 protected:
  void gone(std::uint32_t party) {
    Party& state = parties_[party];
    const bool comes_back = state == Party::comes_back;
    state = comes_back ? Party::present : Party::absent;
    if (comes_back) protocol().begin(party);
  }
  void checkpoint_parties(StateArchive& state) { state(parties_); }

 private:
  enum class Party : std::uint8_t { absent, present, leaving, comes_back };

  Protocol& protocol() { return static_cast<Protocol&>(*this); }

  std::vector<Party> parties_;
};

}  // namespace weir::rates
