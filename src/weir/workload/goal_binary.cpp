#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "weir/workload/goal.hpp"
#include "weir/workload/goal_limits.hpp"

namespace weir::workload {
namespace {

constexpr std::uint64_t kMagic = 4223;
/// LogGOPSim writes it over the magic number when it has simulated a schedule in its own file.
constexpr std::uint64_t kUsedUp = 2342;
constexpr std::uint64_t kMagicSize = 8;
/// Ranks (4 bytes), highest CPU and adapter (1 each); places of ranks count from here.
constexpr std::uint64_t kHeaderSize = 6;
constexpr std::uint64_t kPlaceSize = 16;      ///< begin and end of a rank
constexpr std::uint64_t kOperationSize = 39;  ///< 7 * 4 + 8 + 3, without padding

/// Numbers at places of a file in memory. Every place is checked.
class FileBytes {
 public:
  FileBytes(std::string_view bytes, std::shared_ptr<const std::string> file)
      : bytes_(bytes), file_(std::move(file)) {}

  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

  /// Least significant byte first, as all machines write that txt2bin runs on.
  [[nodiscard]] std::uint64_t number(std::uint64_t at, std::uint64_t size, const char* what) const {
    if (at > bytes_.size() || bytes_.size() - at < size) {
      throw error(at, fmt::format("the file ends after {} bytes, inside {}: is it truncated?",
                                  bytes_.size(), what));
    }
    std::uint64_t value = 0;
    for (std::uint64_t i = size; i-- > 0;) {
      value = (value << 8U) | static_cast<unsigned char>(bytes_[at + i]);
    }
    return value;
  }
  [[nodiscard]] std::uint32_t word(std::uint64_t at, const char* what) const {
    return static_cast<std::uint32_t>(number(at, 4, what));
  }

  [[nodiscard]] InputError error(std::uint64_t at, const std::string& text) const {
    return {SourcePosition{file_, 0, 0}, "", fmt::format("at byte {}: {}", at, text)};
  }

 private:
  std::string_view bytes_;
  std::shared_ptr<const std::string> file_;
};

/// Where the parts of a rank stand, from the beginning of the file.
struct RankPlace {
  std::uint64_t rank = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class BinaryGoalReader {
 public:
  BinaryGoalReader(std::string_view bytes, const std::string& file)
      : file_(std::make_shared<const std::string>(file)), bytes_(bytes, file_) {}

  Schedule read() {
    check_magic();
    const std::uint64_t ranks = bytes_.word(kMagicSize, "the number of ranks");
    if (ranks == 0) throw bytes_.error(kMagicSize, "the number of ranks must be at least 1");
    if (ranks > kMostRanks) {
      throw bytes_.error(kMagicSize,
                         fmt::format("{} ranks are too many; the most is {}", ranks, kMostRanks));
    }
    const std::uint64_t begin = kMagicSize + kHeaderSize + ranks * kPlaceSize;
    if (begin > bytes_.size()) {
      throw bytes_.error(kMagicSize,
                         fmt::format("{} ranks need {} bytes for their places alone; the file has "
                                     "{}",
                                     ranks, begin, bytes_.size()));
    }
    const std::vector<RankPlace> places = read_places(ranks, begin);
    ScheduleBuilder builder(ranks, file_);
    for (const RankPlace& place : places) read_rank(place, ranks, builder.rank(place.rank));
    return std::move(builder).build();
  }

 private:
  void check_magic() const {
    const std::uint64_t magic = bytes_.number(0, kMagicSize, "the magic number");
    if (magic == kMagic) return;
    if (magic == kUsedUp) {
      throw bytes_.error(0,
                         "LogGOPSim has used this schedule up (--save-mem): make it anew with "
                         "txt2bin");
    }
    throw bytes_.error(
        0, fmt::format("no binary GOAL: it begins with {}, not with {}", magic, kMagic));
  }

  /// They cover the rest of the file without gap, in whatever order.
  [[nodiscard]] std::vector<RankPlace> read_places(std::uint64_t ranks, std::uint64_t begin) const {
    std::vector<RankPlace> places;
    for (std::uint64_t r = 0; r < ranks; ++r) {
      const std::uint64_t at = kMagicSize + kHeaderSize + r * kPlaceSize;
      const std::uint64_t from = bytes_.number(at, 8, "the place of a rank");
      const std::uint64_t to = bytes_.number(at + 8, 8, "the place of a rank");
      const std::uint64_t room = bytes_.size() - kMagicSize;
      if (from > to || to > room) {
        throw bytes_.error(at, fmt::format("rank {} is said to stand from {} to {} of {} bytes", r,
                                           from, to, room));
      }
      places.push_back({r, from + kMagicSize, to + kMagicSize});
    }
    std::vector<RankPlace> order = places;
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::uint64_t end = begin;
    for (const RankPlace& place : order) {
      if (place.begin != end) {
        throw bytes_.error(place.begin, fmt::format("rank {} begins here; what is before it ends "
                                                    "at byte {}",
                                                    place.rank, end));
      }
      end = place.end;
    }
    if (end == bytes_.size()) return places;
    throw bytes_.error(end,
                       fmt::format("{} bytes stand behind the last rank", bytes_.size() - end));
  }

  void read_rank(const RankPlace& place, std::uint64_t ranks, RankBuilder& rank) {
    const std::uint64_t count = bytes_.word(place.begin, "the number of operations");
    const std::uint64_t roots = bytes_.word(place.begin + 4, "the number of first operations");
    const std::uint64_t operations = place.begin + 8 + roots * 4;
    const std::uint64_t appendix = operations + count * kOperationSize;
    if (roots > count || appendix > place.end || (place.end - appendix) % 4 != 0) {
      throw bytes_.error(
          place.begin,
          fmt::format("rank {} has {} bytes, which {} operations of {} bytes and {} first ones do "
                      "not fill",
                      place.rank, place.end - place.begin, count, kOperationSize, roots));
    }
    const std::uint64_t entries = (place.end - appendix) / 4;
    waits_.assign(count, 0);
    used_ = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      rank.add(read_operation(operations + i * kOperationSize, ranks));
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = operations + i * kOperationSize + 23;
      read_followers(at, appendix, entries, static_cast<std::uint32_t>(i), false, rank);
      read_followers(at + 8, appendix, entries, static_cast<std::uint32_t>(i), true, rank);
    }
    if (used_ != entries) {
      throw bytes_.error(appendix, fmt::format("rank {} lists {} dependencies; its operations have "
                                               "{}",
                                               place.rank, entries, used_));
    }
    check_waits(place, operations, roots);
  }

  [[nodiscard]] Operation read_operation(std::uint64_t at, std::uint64_t ranks) const {
    Operation made;
    const std::uint64_t kind = bytes_.number(at + 4, 1, "an operation");
    const std::uint64_t peer = bytes_.word(at + 5, "an operation");
    const std::uint64_t amount = bytes_.number(at + 9, 8, "an operation");
    made.tag = bytes_.word(at + 17, "an operation");
    made.cpu = static_cast<std::uint8_t>(bytes_.number(at + 21, 1, "an operation"));
    made.nic = static_cast<std::uint8_t>(bytes_.number(at + 22, 1, "an operation"));
    if (kind < 1 || kind > 3) {
      throw bytes_.error(at + 4,
                         fmt::format("no operation is of kind {}; 1 (send), 2 (receive) and "
                                     "3 (calculation) are known",
                                     kind));
    }
    made.kind = kKinds.at(kind - 1);
    const std::uint64_t most = kind == 3 ? kLongestCalculation : kMostBytes;
    if (amount > most) {
      throw bytes_.error(at + 9, fmt::format("{} {} are too many; the most is {}", amount,
                                             kind == 3 ? "ns" : "bytes", most));
    }
    made.amount = static_cast<std::int64_t>(amount);
    if (made.kind == OperationKind::calculation) {
      made.tag = 0;
      return made;
    }
    made.peer = static_cast<std::uint32_t>(peer);
    const bool may_be_any = made.kind == OperationKind::receive;
    if (peer >= ranks && !(may_be_any && peer == kAny)) {
      throw bytes_.error(at + 5, fmt::format("there is no rank {} of {}", peer, ranks));
    }
    if (made.tag == kAny && !may_be_any) {
      throw bytes_.error(at + 17, "a send needs a tag: only receives take any (-1)");
    }
    return made;
  }

  /// A count, and where in the appendix the operations stand that wait for `earlier`.
  void read_followers(std::uint64_t at, std::uint64_t appendix, std::uint64_t entries,
                      std::uint32_t earlier, bool on_start, RankBuilder& rank) {
    const std::uint64_t count = bytes_.word(at, "an operation");
    if (count == 0) return;
    const std::uint64_t first = bytes_.word(at + 4, "an operation");
    if (first > entries || entries - first < count) {
      throw bytes_.error(at, fmt::format("operation {} has dependencies {} to {} of {}", earlier,
                                         first, first + count, entries));
    }
    for (std::uint64_t i = first; i < first + count; ++i) {
      const std::uint32_t later = bytes_.word(appendix + i * 4, "a dependency");
      if (later >= waits_.size()) {
        throw bytes_.error(appendix + i * 4,
                           fmt::format("there is no operation {} of {}", later, waits_.size()));
      }
      ++waits_[later];
      if (on_start) {
        rank.require_start(later, earlier);
      } else {
        rank.require(later, earlier);
      }
    }
    used_ += count;
  }

  /// What the file counts itself agrees with its lists.
  void check_waits(const RankPlace& place, std::uint64_t operations, std::uint64_t roots) const {
    std::uint64_t root = 0;
    for (std::uint64_t i = 0; i < waits_.size(); ++i) {
      const std::uint64_t at = operations + i * kOperationSize;
      const std::uint32_t said = bytes_.word(at, "an operation");
      if (said != waits_[i]) {
        throw bytes_.error(at, fmt::format("operation {} of rank {} is said to wait for {} others; "
                                           "{} have it among those that follow them",
                                           i, place.rank, said, waits_[i]));
      }
      if (said != 0) continue;
      const std::uint64_t where = place.begin + 8 + root * 4;
      const bool is_listed = root < roots && bytes_.word(where, "a first operation") == i;
      if (!is_listed) {
        throw bytes_.error(std::min(where, operations),
                           fmt::format("operation {} of rank {} waits for none, but is not among "
                                       "its first ones",
                                       i, place.rank));
      }
      ++root;
    }
    if (root == roots) return;
    throw bytes_.error(place.begin + 4, fmt::format("rank {} is said to have {} first operations, "
                                                    "but has {}",
                                                    place.rank, roots, root));
  }

  static constexpr std::array<OperationKind, 3> kKinds{OperationKind::send, OperationKind::receive,
                                                       OperationKind::calculation};

  std::shared_ptr<const std::string> file_;
  FileBytes bytes_;
  std::vector<std::uint32_t> waits_;  ///< per operation of the rank being read
  std::uint64_t used_ = 0;            ///< dependencies of it
};

}  // namespace

bool is_goal_binary(std::string_view bytes) {
  // Text begins with a letter, blank or comment: its first byte is no small number, nor is a zero
  // among the next ones.
  return bytes.size() >= 4 && bytes[2] == '\0' && bytes[3] == '\0';
}

Schedule parse_goal_binary(std::string_view bytes, const std::string& file) {
  return BinaryGoalReader(bytes, file).read();
}

}  // namespace weir::workload
