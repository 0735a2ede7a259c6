#include <fmt/format.h>

#include <stdexcept>

#include "weir/traffic/column_reader.hpp"
#include "weir/traffic/permutation.hpp"

namespace weir::traffic {
namespace {

std::vector<HostId> read_permutation(const std::string& path, std::size_t hosts) {
  std::ifstream in = open_input(path);
  ColumnReader lines(in, path);
  std::vector<HostId> image(hosts);
  std::vector<int> source_line(hosts);
  std::vector<int> destination_line(hosts);
  while (lines.next()) {
    lines.expect({"source", "destination"});
    const HostId source = lines.host(0, "source", hosts);
    const HostId destination = lines.host(1, "destination", hosts);
    int& earlier = source_line[source.index()];
    if (earlier != 0) {
      throw lines.error(
          0, "source",
          fmt::format("host {} has a destination already, from line {}", source.value, earlier));
    }
    int& taken = destination_line[destination.index()];
    if (taken != 0) {
      throw lines.error(1, "destination",
                        fmt::format("host {} is the destination of line {} already: this is no "
                                    "permutation",
                                    destination.value, taken));
    }
    earlier = taken = lines.line();
    image[source.index()] = destination;
  }
  if (lines.line() == 0) throw lines.file_error("is empty");
  return image;
}

struct PermutationFileKeys {
  FilePath file;
};

std::shared_ptr<const Pattern> make_permutation_file(const Checked<PermutationFileKeys>& keys,
                                                     const PatternContext& context) {
  try {
    return std::make_shared<Permutation>(
        read_permutation(keys->file.name, context.graph.host_count()));
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& problem) {
    throw keys.error(&PermutationFileKeys::file, problem.what());
  }
}

const PatternRegistration kPermutationFile(
    pattern_registry(),
    {"permutation-file", "A permutation from a file with lines 'source destination'",
     "weir2026, docs/guide/experiment-files.md"},
    Keys<PermutationFileKeys>{key(&PermutationFileKeys::file, "file",
                                  "text file with lines 'source destination'; '#' begins a comment")
                                  .required()},
    make_permutation_file);

}  // namespace
}  // namespace weir::traffic
