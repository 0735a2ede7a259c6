// Sizes of what data-parallel training sums up over its ranks, tensor by tensor: they follow from
// the published shapes of networks.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/traffic/size_table.hpp"

namespace weir::traffic {
namespace {

/// Numbers in each tensor of the weights of a network; the gradient has the same.
using Tensors = std::vector<std::int64_t>;

/// A scale and an offset for each channel.
void add_normalization(Tensors& tensors, std::int64_t channels) {
  tensors.insert(tensors.end(), {channels, channels});
}

/// Table 1 of He et al. 2016, with three convolutions a block, without offsets but with batch
/// normalization after each.
Tensors resnet_50() {
  Tensors tensors;
  const auto convolution = [&](std::int64_t in, std::int64_t out, std::int64_t side) {
    tensors.push_back(in * out * side * side);
    add_normalization(tensors, out);
  };
  convolution(3, 64, 7);
  std::int64_t in = 64;
  const std::pair<std::int64_t, int> stages[] = {{64, 3}, {128, 4}, {256, 6}, {512, 3}};
  for (const auto& [width, blocks] : stages) {
    for (int block = 0; block < blocks; ++block) {
      convolution(in, width, 1);
      convolution(width, width, 3);
      convolution(width, 4 * width, 1);
      if (block == 0) convolution(in, 4 * width, 1);  // the short cut changes its width, too
      in = 4 * width;
    }
  }
  tensors.insert(tensors.end(), {in * 1'000, 1'000});
  return tensors;
}

/// Section 3 of Devlin et al. 2019: 24 layers of 1024, 30,522 word pieces, 512 positions, two
/// segments; without the heads of a task.
Tensors bert_large() {
  constexpr std::int64_t kWidth = 1'024;
  Tensors tensors = {30'522 * kWidth, 512 * kWidth, 2 * kWidth};
  const auto dense = [&](std::int64_t in, std::int64_t out) {
    tensors.insert(tensors.end(), {in * out, out});
  };
  add_normalization(tensors, kWidth);
  for (int layer = 0; layer < 24; ++layer) {
    for (int i = 0; i < 4; ++i) dense(kWidth, kWidth);  // query, key, value, output
    add_normalization(tensors, kWidth);
    dense(kWidth, 4 * kWidth);
    dense(4 * kWidth, kWidth);
    add_normalization(tensors, kWidth);
  }
  dense(kWidth, kWidth);
  return tensors;
}

struct GradientKeys {
  std::int64_t ranks = 1;
  std::int64_t number = 4;
  double scale = 1;
};

/// Each tensor is as likely as any other: every step sums up each of them once.
std::vector<SizeDistribution::Outcome> outcomes_of(const Tensors& tensors,
                                                   const GradientKeys& keys) {
  std::map<std::int64_t, int> sizes;
  for (const std::int64_t numbers : tensors) {
    const std::int64_t bytes = (numbers * keys.number + keys.ranks - 1) / keys.ranks;
    ++sizes[std::max<std::int64_t>(1, std::llround(static_cast<double>(bytes) * keys.scale))];
  }
  std::vector<SizeDistribution::Outcome> outcomes;
  for (const auto& [bytes, count] : sizes)
    outcomes.push_back({Bytes(bytes), count / static_cast<double>(tensors.size())});
  return outcomes;
}

SizeRegistration gradients(const std::string& name, const std::string& summary,
                           const std::string& source, const Tensors& tensors) {
  return {
      size_registry(),
      {name, summary, source},
      Keys<GradientKeys>{
          key(&GradientKeys::ranks, "ranks",
              "ranks of a ring all-reduce, each message of which is one of so many parts of a "
              "tensor; 1: whole tensors")
              .range(1, 1'000'000),
          key(&GradientKeys::number, "number", "bytes of a number; 2: half precision").range(1, 8),
          key(&GradientKeys::scale, "scale", "factor of all sizes").range(1e-6, 1000)},
      [tensors](const Checked<GradientKeys>& keys) {
        return std::make_shared<SizeTable>(outcomes_of(tensors, *keys));
      }};
}

const SizeRegistration kResNet = gradients(
    "resnet-50-gradients",
    "Tensors that all-reduces of data-parallel training sum up, one by one: the 161 of ResNet-50, "
    "102 MB in all, two thirds of them at most 8 KB; mean 635 KB",
    "he2016resnet, table 1; weir2026, docs/guide/experiment-files.md", resnet_50());

const SizeRegistration kBert = gradients(
    "bert-large-gradients",
    "The same of a language model: the 391 tensors of BERT-Large, 1.34 GB in all, five of eight of "
    "them at most 16 KB; mean 3.43 MB",
    "devlin2019bert, section 3; weir2026, docs/guide/experiment-files.md", bert_large());

}  // namespace
}  // namespace weir::traffic
