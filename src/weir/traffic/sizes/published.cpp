// Distributions of message sizes that studies of congestion control in data centres use, by their
// names there.
#include <string>
#include <utility>

#include "weir/base/keys.hpp"
#include "weir/traffic/size_table.hpp"

namespace weir::traffic {
namespace {

/// Shares in per cent of messages of at most so many bytes.
using Percentages = std::vector<std::pair<double, double>>;

std::vector<SizePoint> shares(const Percentages& percentages) {
  std::vector<SizePoint> points;
  for (const auto& [bytes, percent] : percentages) points.push_back({bytes, percent / 100});
  return points;
}

struct PublishedKeys {
  double scale = 1;
};

/// Registers the distribution of `points`, linear in the size between them.
SizeRegistration published(const std::string& name, const std::string& summary,
                           const std::string& source, const Percentages& points) {
  return {size_registry(),
          {name, summary, source},
          Keys<PublishedKeys>{key(&PublishedKeys::scale, "scale",
                                  "factor of all sizes: with 0.1 the same mix of small and large "
                                  "passes in a tenth of the time")
                                  .range(1e-6, 1000)},
          [points = shares(points)](const Checked<PublishedKeys>& file) {
            return std::make_shared<SizeTable>(SizeTable::interpolate(points, file->scale));
          }};
}

// The points are those with which HPCC was simulated (Li et al. 2019, section 5.1), as its
// simulator's traffic generator has them.
const SizeRegistration kWebSearch =
    published("web-search",
              "Flows of a web search cluster: half of them below 73 KB, 95 % of the bytes in those "
              "above 1 MB; mean 1.71 MB",
              "alizadeh2010dctcp, section 2.2; li2019hpcc, section 5.1",
              {{0, 0},
               {10e3, 15},
               {20e3, 20},
               {30e3, 30},
               {50e3, 40},
               {80e3, 53},
               {200e3, 60},
               {1e6, 70},
               {2e6, 80},
               {5e6, 90},
               {10e6, 97},
               {30e6, 100}});

const SizeRegistration kHadoop = published(
    "hadoop", "Flows of a Hadoop cluster: half of them at most 700 B; mean 120 KB",
    "roy2015inside, section 5.1; li2019hpcc, section 5.1",
    {{0, 0},     {100, 1},    {200, 2},    {300, 5},    {350, 15},   {400, 20},  {500, 30},
     {600, 40},  {700, 50},   {1'000, 60}, {2'000, 67}, {7'000, 70}, {30e3, 72}, {50e3, 82},
     {80e3, 87}, {120e3, 90}, {300e3, 95}, {1e6, 97.5}, {2e6, 99},   {10e6, 100}});

const SizeRegistration kStorage =
    published("storage",
              "Messages of a storage cluster at Alibaba in 2019: half of them below 6.4 KB; mean "
              "41 KB",
              "li2019hpcc, section 5.1",
              {{0, 0},
               {4'000, 22.93},
               {8'000, 69.21},
               {16e3, 80.61},
               {32e3, 90.47},
               {64e3, 93.53},
               {128e3, 96.77},
               {256e3, 97.53},
               {2e6, 100}});

// Points in packets of 1460 B; half of the flows are one packet.
constexpr double kSegment = 1'460;
const SizeRegistration kDataMining =
    published("data-mining",
              "Flows of a data-mining cluster: half of them one packet of 1460 B, 95 % of the "
              "bytes in those above 35 MB; mean 7.47 MB",
              "greenberg2009vl2, section 3.2; alizadeh2013pfabric, section 5",
              {{kSegment, 50},
               {2 * kSegment, 60},
               {3 * kSegment, 70},
               {7 * kSegment, 80},
               {267 * kSegment, 90},
               {2'107 * kSegment, 95},
               {66'667 * kSegment, 99},
               {666'667 * kSegment, 100}});

}  // namespace
}  // namespace weir::traffic
