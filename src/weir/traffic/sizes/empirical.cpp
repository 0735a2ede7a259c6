#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "weir/base/keys.hpp"
#include "weir/traffic/column_reader.hpp"
#include "weir/traffic/size_table.hpp"

namespace weir::traffic {
namespace {

using Outcomes = std::vector<SizeDistribution::Outcome>;

/// Sizes of the points alone.
Outcomes steps(const std::vector<SizePoint>& points) {
  Outcomes outcomes;
  double below = 0;
  for (const SizePoint& point : points) {
    const Bytes size(static_cast<std::int64_t>(point.bytes));
    if (point.share > below) outcomes.push_back({size, point.share - below});
    below = point.share;
  }
  return outcomes;
}

struct EmpiricalKeys {
  std::optional<std::vector<std::string>> sizes;
  std::optional<std::vector<double>> weights;
  std::optional<FilePath> file;
  bool is_interpolated = false;
};

using EmpiricalFile = Checked<EmpiricalKeys>;

Bytes read_size(const EmpiricalFile& file, const std::string& text) {
  const auto wrong = [&](const char* why) { return file.error(&EmpiricalKeys::sizes, why); };
  try {
    const Bytes size = parse_bytes(text);
    if (size.count < 1) throw wrong("a message has at least 1 B");
    return size;
  } catch (const std::invalid_argument& problem) {
    throw wrong(problem.what());
  }
}

Outcomes from_lists(const EmpiricalFile& file) {
  const std::vector<std::string>& sizes = *file->sizes;
  if (sizes.empty()) throw file.error(&EmpiricalKeys::sizes, "is an empty list");
  const std::vector<double> weights =
      file->weights.value_or(std::vector<double>(sizes.size(), 1.0));
  const auto wrong = [&](const std::string& why) {
    return file.error(&EmpiricalKeys::weights, why);
  };
  if (weights.size() != sizes.size())
    throw wrong(fmt::format("has {} entries for {} sizes", weights.size(), sizes.size()));
  double sum = 0;
  for (const double weight : weights) sum += weight;
  if (sum <= 0) throw wrong("must not all be 0");
  Outcomes outcomes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Bytes size = read_size(file, sizes[i]);
    if (weights[i] > 0) outcomes.push_back({size, weights[i] / sum});
  }
  return outcomes;
}

double read_share(const ColumnReader& lines) {
  const std::string_view text = lines.field(1).text;
  double share = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (failure != std::errc() || end != text.data() + text.size() || !(share >= 0 && share <= 1)) {
    throw lines.error(1, "share", "must be a number from 0 to 1, not " + quoted(text));
  }
  return share;
}

/// Lines `bytes share`: the share of messages that are at most that large, ascending up to 1.
std::vector<SizePoint> points_of(const std::string& path) {
  std::ifstream in = open_input(path);
  ColumnReader lines(in, path);
  std::vector<SizePoint> points;
  double below = 0;
  std::uint64_t last_size = 0;
  while (lines.next()) {
    lines.expect({"bytes", "share"});
    const std::uint64_t size = lines.whole_number(0, "bytes");
    if (size <= last_size || size > static_cast<std::uint64_t>(Bytes::max().count)) {
      throw lines.error(0, "bytes", "sizes must be at least 1 and ascend");
    }
    const double share = read_share(lines);
    if (share < below) throw lines.error(1, "share", "shares must not descend");
    points.push_back({static_cast<double>(size), share});
    last_size = size;
    below = share;
  }
  if (std::abs(below - 1) > 1e-9) {
    throw lines.file_error(fmt::format("the last share is {}; it must be 1", below));
  }
  return points;
}

Outcomes from_file(const EmpiricalFile& file) {
  try {
    const std::vector<SizePoint> points = points_of(file->file->name);
    return file->is_interpolated ? SizeTable::interpolate(points, 1) : steps(points);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& problem) {
    throw file.error(&EmpiricalKeys::file, problem.what());
  }
}

std::shared_ptr<const SizeDistribution> make_empirical(const EmpiricalFile& file) {
  using E = EmpiricalKeys;
  if (file->file.has_value() == file->sizes.has_value())
    throw file.error(&E::sizes, "give either 'sizes' (with 'weights') or 'file'");
  if (file->file) {
    if (file->weights) throw file.error(&E::weights, "go with 'sizes', not with 'file'");
    return std::make_shared<SizeTable>(from_file(file));
  }
  if (file->is_interpolated)
    throw file.error(&E::is_interpolated, "goes with 'file', not with 'sizes'");
  return std::make_shared<SizeTable>(from_lists(file));
}

const SizeRegistration kEmpirical(
    size_registry(),
    {"empirical", "Measured sizes: a list with weights, or a cumulative distribution from a file",
     "lippens2010, section 5.1"},
    Keys<EmpiricalKeys>{
        key(&EmpiricalKeys::sizes, "sizes", "payloads, as in [\"2 KB\", \"64 KB\"]"),
        key(&EmpiricalKeys::weights, "weights",
            "how often each size comes, in any proportion (default: equally often)")
            .range(0, 1e18),
        key(&EmpiricalKeys::file, "file",
            "file with lines 'bytes share': the share of messages of at most so many bytes, "
            "ascending to 1"),
        key(&EmpiricalKeys::is_interpolated, "interpolate",
            "whether all sizes between two lines of the file come, equally often; without it only "
            "those of the lines do")},
    make_empirical);

}  // namespace
}  // namespace weir::traffic
