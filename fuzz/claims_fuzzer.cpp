// Claims of documents and their findings: any text is read or refused with an InputError; what was
// read evaluates to some number, and findings read back to themselves. No file is opened.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "weir/experiment/claims/findings.hpp"

namespace {

namespace claims = weir::experiment::claims;

void use(const claims::Claim& claim) {
  for (const claims::ClaimReading& reading : claim.readings) {
    std::vector<double> values;
    for (std::size_t i = 0; i < reading.values.size(); ++i)
      values.push_back(0.5 * static_cast<double>(i) - 1);
    const double measured = claim.measure->evaluate(values);
    (void)reading.expected.accepted().contains(measured);
  }
}

/// The same text as findings of a document with one claim.
void read_findings(std::string_view text) {
  static const claims::Document document = claims::parse_document(
      "[document]\nname = \"d\"\ntitle = \"t\"\n[[experiment]]\nname = \"e\"\nfile = \"e.toml\"\n"
      "purpose = \"p\"\n[[claim]]\nid = \"C-1\"\nexperiment = \"e\"\nstatement = \"s\"\n"
      "source = \"p\"\nkind = \"check\"\nexpect = { is = 1 }\nvalues.a = { metric = \"hosts\" }\n",
      "/fuzz/claims.toml");
  std::string first;
  try {
    first = claims::to_toml(claims::parse_findings(text, "f.toml", document), document);
  } catch (const weir::InputError&) {
    return;
  }
  const claims::Findings again = claims::parse_findings(first, "again.toml", document);
  if (claims::to_toml(again, document) != first) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_findings(text);
  try {
    const claims::Document document = claims::parse_document(text, "/fuzz/claims.toml");
    for (const claims::Claim& claim : document.claims) use(claim);
  } catch (const weir::InputError&) {
    return 0;
  }
  return 0;
}
