#include "weir/report/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weir/base/encoding.hpp"
#include "weir/base/error.hpp"
#include "weir/report/page/builder.hpp"

namespace weir::report {
namespace {

constexpr std::string_view kPlaceOfData = "@WEIR_REPORT@";

constexpr const char* kNoTemplate =
    "this program was built without the report page: npm was missing, or could not fetch what the "
    "page is made of. Install nodejs and npm, see to it that npm reaches its registry, and build "
    "again: touch viewer/package.json, then ./weir as usual";

}  // namespace

PageRuns page_runs(const experiment::ResultsStore& store) {
  return {store.read_all({false, false, false, false}),
          [&store](experiment::RunRecord& run, const experiment::ResultParts& parts) {
            store.read_result(run, parts);
          }};
}

std::string page_data(const PageRuns& runs, const PageOptions& options, std::size_t most_bytes) {
  return PageBuilder(runs, options, most_bytes).data();
}

std::string fill_template(std::string_view page, std::string_view data) {
  const std::size_t at = page.find(kPlaceOfData);
  if (at == std::string_view::npos) {
    throw InputError(fmt::format("the template of the report page has no {}", kPlaceOfData));
  }
  std::string out;
  out.reserve(page.size() + data.size());
  out.append(page.substr(0, at)).append(data).append(page.substr(at + kPlaceOfData.size()));
  return out;
}

std::string make_page(const PageRuns& runs, const PageOptions& options, std::string_view page) {
  if (page.empty()) throw InputError(kNoTemplate);
  const std::size_t room = options.most_bytes > page.size() ? options.most_bytes - page.size() : 0;
  const std::string data = page_data(runs, options, room);
  try {
    // Without '<' and quotes, whatever the configuration holds.
    return fill_template(page, base64(gzip(data)));
  } catch (const std::length_error&) {
    throw InputError("these runs are too much for one page: choose some with --runs");
  }
}

}  // namespace weir::report
