#include <fmt/format.h>

#include <utility>

#include "weir/base/keys.hpp"
#include "weir/traffic/host_list.hpp"
#include "weir/traffic/pattern.hpp"
#include "weir/traffic/streams.hpp"

namespace weir::traffic {
namespace {

/// One or several permutations; a source goes through its images message by message.
class Superposition final : public Pattern {
 public:
  Superposition(std::vector<std::uint32_t> images, std::size_t count)
      : images_(std::move(images)), count_(count) {}

  [[nodiscard]] HostId destination(const Draw& draw, RandomStream&) const override {
    const std::size_t first = draw.source.index() * count_;
    std::size_t turn = draw.message % count_;
    // A fixed point of one of the permutations hands its turn on; sends() knows of another one.
    while (images_[first + turn] == draw.source.value) turn = (turn + 1) % count_;
    return HostId(images_[first + turn]);
  }

  [[nodiscard]] bool sends(HostId source) const override {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t image = images_[source.index() * count_ + i];
      if (image != source.value && image != HostId::kNone) return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<HostId> destinations(HostId source, std::uint32_t) const override {
    std::vector<HostId> hosts;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t image = images_[source.index() * count_ + i];
      if (image != source.value && image != HostId::kNone) hosts.emplace_back(image);
    }
    return hosts;
  }

 private:
  std::vector<std::uint32_t> images_;  ///< [host * count_ + permutation]; kNone: takes no part
  std::size_t count_;
};

bool has_fixed_point(const std::vector<HostId>& from, const std::vector<HostId>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) return true;
  }
  return false;
}

/// Fisher-Yates; again until no host is its own image where that is asked for (e = 2.7 times on
/// average), which keeps all such permutations equally likely.
std::vector<HostId> shuffled(const std::vector<HostId>& hosts, bool allow_fixed_points,
                             RandomStream& random) {
  std::vector<HostId> images = hosts;
  do {
    for (std::size_t i = images.size(); i > 1; --i) {
      std::swap(images[i - 1], images[random.below(i)]);
    }
  } while (!allow_fixed_points && has_fixed_point(hosts, images));
  return images;
}

struct RandomPermutationKeys {
  bool has_fixed_points = false;
  std::uint32_t superposed = 1;
  bool is_among_sources = false;
};

std::shared_ptr<const Pattern> make_random_permutation(const Checked<RandomPermutationKeys>& file,
                                                       const PatternContext& context) {
  const std::vector<HostId> hosts =
      file->is_among_sources ? context.sources : all_hosts(context.graph);
  if (hosts.size() < 2) {
    throw file.error(&RandomPermutationKeys::is_among_sources,
                     "a permutation without fixed points needs at least 2 hosts");
  }
  const std::size_t count = file->superposed;
  RandomStream random(context.seed, placement_entity(context.entry, EntryChoice::permutation),
                      StreamPurpose::placement);
  std::vector<std::uint32_t> images(context.graph.host_count() * count, HostId::kNone);
  for (std::size_t p = 0; p < count; ++p) {
    const std::vector<HostId> image = shuffled(hosts, file->has_fixed_points, random);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      images[hosts[i].index() * count + p] = image[i].value;
    }
  }
  return std::make_shared<Superposition>(std::move(images), count);
}

const PatternRegistration kRandomPermutation(
    pattern_registry(),
    {"random-permutation",
     "Every host sends to one host and receives from one; or to several, by superposition",
     "zdornov2009, section 6.2"},
    Keys<RandomPermutationKeys>{
        key(&RandomPermutationKeys::has_fixed_points, "fixed_points",
            "whether hosts may be their own image; such hosts are silent"),
        key(&RandomPermutationKeys::superposed, "superposed",
            "number of independent permutations, which a source's messages take in turn")
            .range(1, 1024),
        choice(&RandomPermutationKeys::is_among_sources, "among",
               "hosts that are permuted: all, or the sources alone",
               {{"all", false}, {"sources", true}})},
    make_random_permutation);

}  // namespace
}  // namespace weir::traffic
