#include "weir/topology/modified_tree.hpp"

#include <fmt/format.h>

#include "weir/base/error.hpp"
#include "weir/topology/model_settings.hpp"

namespace weir::topology {
namespace {

/// The last `digits` base-k digits of `number` in opposite order.
std::uint32_t reversed_digits(std::uint32_t number, std::uint32_t k, int digits) {
  std::uint32_t result = 0;
  for (int i = 0; i < digits; ++i) {
    result = result * k + number % k;
    number /= k;
  }
  return result;
}

ModifiedTreeShape modified_tree_shape(int k, int n, int width) {
  ModifiedTreeShape shape;
  shape.fat_tree = fat_tree_shape(k_ary_n_tree_parameters(k, n));
  shape.width = width;
  const auto& tree = shape.fat_tree;
  for (std::size_t s = 2; s <= static_cast<std::size_t>(n); ++s) {
    const int ports = tree.down_ports[s] + tree.up_ports[s];
    if (ports + 2 * width > kMaxPorts) {
      throw InputError(fmt::format(
          "a stage-{} switch would have {} ports of the tree and {} horizontal; at most {}", s,
          ports, 2 * width, kMaxPorts));
    }
  }
  for (std::size_t s = 0; s < tree.switch_stage.size(); ++s) {
    // The position reads the digit nearest to the root first; the copy index has it last.
    shape.position.push_back(reversed_digits(tree.switch_copy[s], static_cast<std::uint32_t>(k),
                                             tree.switch_stage[s] - 1));
  }
  return shape;
}

/// Horizontal cables of the logical node `subtree` at `stage`.
void connect_line(GraphBuilder& builder, const ModifiedTreeShape& shape, int stage,
                  std::uint32_t subtree, const LinkSpec& link) {
  const auto k = static_cast<std::uint32_t>(shape.fat_tree.parameters.children[0]);
  const auto at = [&](std::uint32_t place) {
    return shape.fat_tree.at(stage, subtree, reversed_digits(place, k, stage - 1));
  };
  for (std::uint32_t place = 0; place + 1 < shape.line_length(stage); ++place) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(shape.width); ++j) {
      builder.connect(at(place), shape.first_right_port(stage) + j, at(place + 1),
                      shape.first_left_port(stage) + j, link);
    }
  }
}

}  // namespace

Graph make_modified_tree(int k, int n, int width, std::span<const LinkSpec> links,
                         const LinkSpec& horizontal) {
  auto shape = std::make_shared<const ModifiedTreeShape>(modified_tree_shape(k, n, width));
  const FatTreeShape& tree = shape->fat_tree;
  GraphBuilder builder("modified-k-ary-n-tree");
  const std::size_t both_sides = 2 * static_cast<std::size_t>(width);
  std::vector<std::size_t> extra(static_cast<std::size_t>(n), both_sides);
  extra[0] = 0;
  add_fat_tree(builder, tree, links, extra);
  for (int stage = 2; stage <= n; ++stage) {
    const auto s = static_cast<std::size_t>(stage);
    for (std::uint32_t i = tree.first_switch[s]; i < tree.first_switch[s + 1]; ++i) {
      for (std::size_t j = 0; j < both_sides; ++j) {
        builder.set_role(SwitchId(i), shape->first_left_port(stage) + j, PortRole::horizontal);
      }
    }
    const std::uint32_t subtrees = tree.hosts_below.back() / tree.hosts_below[s];
    for (std::uint32_t t = 0; t < subtrees; ++t) {
      connect_line(builder, *shape, stage, t, horizontal);
    }
  }
  builder.set_shape(std::move(shape));
  return builder.build();
}

namespace {

struct ModifiedTreeSettings : StageSettings {
  int k = 0;
  int n = 0;
  int width = 2;
  OwnLink horizontal;
};

const TopologyRegistration kModifiedTree(
    topology_registry(),
    {"modified-k-ary-n-tree",
     "k-ary n-tree whose switches with the same descendants are also joined in a line",
     "zdornov2009, section 6.2"},
    Keys<ModifiedTreeSettings>{
        key(&ModifiedTreeSettings::k, "k", "radix: down ports of a switch")
            .required()
            .range(1, 256),
        key(&ModifiedTreeSettings::n, "n", "stages").required().range(1, 24),
        key(&ModifiedTreeSettings::width, "width", "parallel horizontal cables between neighbours")
            .range(0, 64)}
        .with(&ModifiedTreeSettings::horizontal,
              own_link_keys("horizontal", "the horizontal cables"))
        .with(stage_keys()),
    [](const Checked<ModifiedTreeSettings>& settings, const LinkSpec& link) {
      const auto links = stage_links(settings, link, settings->n);
      const LinkSpec horizontal = changed_link(settings, &ModifiedTreeSettings::horizontal, link);
      return at_key(settings, &ModifiedTreeSettings::k, [&] {
        return make_modified_tree(settings->k, settings->n, settings->width, links, horizontal);
      });
    });
const NaturalRouting kModifiedTreeRouting("modified-k-ary-n-tree", {"d-mod-k"});

}  // namespace
}  // namespace weir::topology
