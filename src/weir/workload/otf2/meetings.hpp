#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "weir/workload/otf2/archive.hpp"
#include "weir/workload/otf2/schedule.hpp"
#include "weir/workload/program.hpp"

namespace weir::workload {

/// Communicators of an archive: whom their ranks mean, and the collective operations of each, in
/// which all members must agree. Errors are InputError with file, rank and event.
class Otf2Meetings {
 public:
  Otf2Meetings(const Otf2Trace& trace, const Otf2Choices& choices);

  /// The rank of the program that a message goes to or comes from, or that is the root.
  [[nodiscard]] std::size_t peer_of(std::size_t rank, const Otf2Event& event) const;
  /// Messages of different communicators do not meet.
  std::uint32_t tag_of(std::size_t rank, const Otf2Event& event);
  static std::int64_t size_of(const Otf2Trace& trace, std::size_t rank, const Otf2Event& event,
                              std::uint64_t bytes);

  /// The next collective operation of a rank and a communicator: it is the same one at all members.
  /// Returns its number; nothing where the rank is by itself.
  std::optional<std::uint32_t> join(std::size_t rank, const Otf2Event& event);
  /// All members have come to all operations.
  void check() const;
  /// The part of a rank in an operation, which begins when `before` is done. Returns what has to be
  /// done for it to be.
  std::vector<std::uint32_t> write(std::size_t rank, const Otf2Event& event, std::uint32_t number,
                                   RankBuilder& builder,
                                   const std::vector<std::uint32_t>& before) const;

 private:
  struct Meeting {
    Otf2Collective operation = Otf2Collective::barrier;
    std::uint32_t tag = 0;
    std::size_t root = 0;  ///< place
    std::size_t rank = 0;  ///< that named it first
    const Otf2Event* event = nullptr;
    std::int64_t size = -1;           ///< where it must be the same for all, or all but the root
    std::vector<std::int64_t> sizes;  ///< otherwise: per place
  };
  struct Circle {
    const Otf2Communicator* communicator = nullptr;
    std::unordered_map<std::uint32_t, std::size_t> places;  ///< of ranks
    std::vector<std::size_t> meetings;                      ///< numbers, in their order
    std::vector<std::size_t> next;                          ///< per member
  };

  [[nodiscard]] bool is_world(const Otf2Communicator& communicator) const;
  [[nodiscard]] const Circle& circle_of(std::size_t rank, const Otf2Event& event) const;
  [[nodiscard]] std::size_t root_of(std::size_t rank, const Otf2Event& event,
                                    const Circle& circle) const;
  std::uint32_t made_tag(std::size_t rank, const Otf2Event& event);
  void check_known(std::size_t rank, const Otf2Event& event) const;
  void add_size(std::size_t rank, const Otf2Event& event, Meeting& meeting,
                std::size_t place) const;
  void write_operation(std::size_t rank, const Otf2Event& event, const Meeting& meeting,
                       RankProgram& program) const;
  [[nodiscard]] std::vector<std::int64_t> blocks(std::size_t rank, const Otf2Event& event,
                                                 std::vector<std::int64_t> sums,
                                                 std::size_t members) const;

  const Otf2Trace& trace_;
  const Otf2Choices& choices_;
  std::map<std::uint32_t, Circle> circles_;
  std::vector<Meeting> meetings_;
  std::unordered_map<std::uint64_t, std::uint32_t> tags_;
  std::optional<std::uint32_t> world_;  ///< whose messages keep their tags
  std::uint32_t next_tag_ = kFirstMadeTag;
};

}  // namespace weir::workload
