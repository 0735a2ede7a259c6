#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include "experiment/support.hpp"
#include "support/temporary_folder.hpp"
#include "weir/experiment/claims/findings.hpp"

namespace weir::experiment::claims {

/// A document in a folder of its own, removed at the end.
class DocumentFolder {
 public:
  DocumentFolder() { std::filesystem::create_directories(root_ / "doc"); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / "doc" / name) << text;
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (root_ / "doc" / name).string();
  }
  [[nodiscard]] std::string root() const { return root_.string(); }

 private:
  support::TemporaryFolder root_;
};

/// A document with one experiment, "e" in e.toml, and these claims.
inline std::string document_text(const std::string& claims, const std::string& more = "") {
  return R"([document]
name = "doc"
title = "a test"
[[experiment]]
name = "e"
file = "e.toml"
purpose = "to test"
)" + more +
         claims;
}

/// A claim called C-1 with its last lines.
inline std::string claim_text(const std::string& rest, const std::string& kind = "published") {
  return "[[claim]]\nid = \"C-1\"\nexperiment = \"e\"\nstatement = \"s\"\nsource = \"p. 1\"\n"
         "kind = \"" +
         kind + "\"\n" + rest + "\n";
}

/// The first claim of such a document.
inline Claim claim_of(const std::string& rest, const std::string& kind = "published") {
  return parse_document(document_text(claim_text(rest, kind)), "/doc/claims.toml").claims.front();
}

/// kSmall with two cases and a sweep of two values, as an experiment file.
inline const std::string kSwept = kSmall + R"(
[[case]]
name = "fifo"
set = { "switch.voq" = false }
[[case]]
name = "voq"
set = { "switch.voq" = true }
[sweep]
"buffer.ingress" = ["64 KiB", "128 KiB"]
)";

}  // namespace weir::experiment::claims
