// Models of a shared library: examples/models, built as a plug-in beside the tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "program.hpp"

namespace weir::cli::plugin_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRun = R"(
[experiment]
name = "own"
duration = "30 us"
[topology]
model = "full-mesh"
switches = 4
hosts = 2
[routing]
model = "shortest-path"
[queueing]
model = "leaf-modulo"
[[traffic]]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "2 KiB" }
)";

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Plugin : public ::testing::Test {
 public:
  Plugin() {
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    fs::create_directory(place.folder() / "lib");
    fs::copy_file(WEIR_TEST_PLUGIN, library);
    place.write("x.toml", kRun);
    place.write("with.toml", "plugins = [\"lib/models.so\"]\n" + std::string(kRun));
  }
  /// Another library of the same models: bytes behind its end change nothing but its content.
  [[nodiscard]] std::string other(const std::string& name) const {
    return place.write(name, bytes_of(library) + "more");
  }
  /// The library with a part of it replaced by as many other bytes, everywhere.
  [[nodiscard]] std::string changed(const std::string& name, const std::string& from,
                                    const std::string& to) const {
    EXPECT_EQ(from.size(), to.size());
    std::string bytes = bytes_of(library);
    std::size_t count = 0;
    for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at)) {
      bytes.replace(at, from.size(), to);
      ++count;
    }
    EXPECT_GT(count, 0U);
    return place.write(name, bytes);
  }
  void expect_refused(const std::string& arguments, const std::string& why) const {
    const Outcome run = place.weir(arguments);
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_THAT(run.errors, HasSubstr(why)) << arguments;
    EXPECT_THAT(run.errors, Not(HasSubstr("internal"))) << arguments;
  }

  Workplace place;
  fs::path library = place.folder() / "lib/models.so";
};

TEST_F(Plugin, ItsModelsAreThereAsThoughTheyWereBuiltIn) {
  for (const char* command :
       {"run x.toml --plugin lib/models.so --quiet --no-report",
        "--plugin lib/models.so run x.toml --quiet --no-report -o before",
        "run with.toml --quiet --no-report -o key", "check x.toml --plugin=lib/models.so",
        "topology x.toml --plugin lib/models.so --plugin lib/models.so"}) {
    const Outcome run = place.weir(command);
    EXPECT_EQ(run.status, 0) << command << run.errors;
  }
  expect_refused("run x.toml", "full-mesh");
}

TEST_F(Plugin, ListAndDescribeSayWhereModelsComeFrom) {
  const std::string with = " --plugin lib/models.so";
  EXPECT_THAT(place.weir("list queueing" + with).output,
              AllOf(HasSubstr("leaf-modulo"), HasSubstr("[models.so]")));
  EXPECT_THAT(place.weir("list routing" + with).output, Not(HasSubstr("models.so")));
  const Outcome described = place.weir("describe reaction stop-on-mark" + with);
  EXPECT_EQ(described.status, 0) << described.errors;
  // Its citation is of no work that weir knows.
  EXPECT_THAT(described.output,
              AllOf(HasSubstr("Source: A. N. Author 2026, section 3"),
                    HasSubstr("From the plug-in models.so"), HasSubstr("length")));
  EXPECT_THAT(place.weir("list queueing --format json" + with).output,
              HasSubstr("\"plugin\": \"models.so\""));
  EXPECT_THAT(place.weir("list --format schema" + with).output, HasSubstr("leaf-modulo"));
  EXPECT_EQ(place.weir("describe --bibtex stop-on-mark" + with).status, 0);
  EXPECT_THAT(place.weir("complete -- describe --plugin lib/models.so leaf").output,
              HasSubstr("leaf-modulo"));
}

TEST_F(Plugin, ItsContentIsPartOfWhatARunIs) {
  const auto run = [&](const std::string& file) {
    const Outcome done = place.weir("run " + file + " --no-report -o out");
    EXPECT_EQ(done.status, 0) << done.errors;
    return done.errors;
  };
  EXPECT_THAT(run("with.toml"), Not(HasSubstr("there")));
  EXPECT_THAT(run("with.toml"), HasSubstr("there")) << "the same code: nothing to do";
  // Wherever it lies, and whoever names it.
  fs::copy_file(library, place.folder() / "elsewhere.so");
  EXPECT_THAT(run("x.toml --plugin elsewhere.so"), HasSubstr("there"));
  // New code is another run.
  fs::rename(other("new.so"), library);
  EXPECT_THAT(run("with.toml"), Not(HasSubstr("there")));
  // Each run says which library it was.
  const std::string stored =
      place.shell("'" WEIR_PROGRAM "' export out --json | grep plugins").output;
  EXPECT_THAT(stored, AllOf(HasSubstr("elsewhere.so"), HasSubstr("lib/models.so")));
  EXPECT_THAT(stored, HasSubstr("content = "));
}

TEST_F(Plugin, AnExperimentThatSaysItsContentTakesNoOther) {
  const Outcome dumped = place.weir("run with.toml --dump");
  EXPECT_EQ(dumped.status, 0) << dumped.errors;
  place.write("dumped.toml", dumped.output);
  EXPECT_EQ(place.weir("run dumped.toml --dump").output, dumped.output);
  fs::rename(other("new.so"), library);
  expect_refused("run dumped.toml", "it was built again");
}

TEST_F(Plugin, FilesThatAreIncludedBringTheirs) {
  place.write("sub/base.toml", "plugins = \"../lib/models.so\"\n" + std::string(kRun));
  place.write("top.toml", "include = \"sub/base.toml\"\nplugins = []\n");
  const Outcome run = place.weir("run top.toml --quiet --no-report");
  EXPECT_EQ(run.status, 0) << run.errors;
}

// A second file of one command line finds the model known, and then says where it comes from, too.
TEST_F(Plugin, AnExperimentThatUsesAModelHasItsPlugin) {
  place.write("plain.toml", R"(
topology = { model = "single-switch", hosts = 4 }
routing = "shortest-path"
[experiment]
name = "plain"
duration = "20 us"
[traffic]
name = "all"
destinations = { model = "uniform" }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "1 KiB" }
)");
  std::string other_name = kRun;
  other_name.replace(other_name.find("\"own\""), 5, "\"two\"");
  place.write("y.toml", other_name);
  const Outcome run = place.weir("run with.toml y.toml plain.toml --quiet --no-report -o out");
  EXPECT_EQ(run.status, 0) << run.errors;
  const auto names_it = [&](const std::string& name) {
    return place.shell("'" WEIR_PROGRAM "' export --json out/" + name + " | grep -c models.so")
        .output;
  };
  EXPECT_EQ(names_it("two"), "1\n");
  EXPECT_EQ(names_it("plain"), "0\n");
}

TEST_F(Plugin, ResultsCanBeLookedAtWithoutIt) {
  ASSERT_EQ(place.weir("run with.toml --quiet --no-report -o out").status, 0);
  fs::remove(library);
  for (const char* command : {"export out --csv", "report out"}) {
    const Outcome run = place.weir(command);
    EXPECT_EQ(run.status, 0) << command << run.errors;
  }
}

TEST_F(Plugin, WhatCannotBeLoadedIsRefusedWithItsReason) {
  place.write("text.so", "no library");
  expect_refused("list --plugin text.so", "is no shared library");
  expect_refused("list --plugin none.so", "there is no file");
  expect_refused("list --plugin lib", "is no file");
  place.write("key.toml", "plugins = [1]\n" + std::string(kRun));
  expect_refused("run key.toml", "key.toml:1:12: plugins: must be a list of file names");
  place.write("gone.toml", "plugins = [\"gone.so\"]\n" + std::string(kRun));
  expect_refused("run gone.toml", "gone.toml:1:12: plugins: there is no file");
  place.write("case.toml", "plugins = [\"lib/models.so\"]\n" + std::string(kRun) +
                               "[[case]]\nname = \"a\"\nset = { plugins = [] }\n");
  expect_refused("run case.toml", "belongs to no single run");
  (void)changed("no.so", "weir-plugin:", "weir-models:");
  expect_refused("list --plugin no.so", "is no plug-in of weir: one of its files needs");
  // As in weir's own library, which looks for the mark.
  (void)changed("mark.so", "weir-plugin:0", std::string("weir-plugin:") + '\0');
  expect_refused("list --plugin mark.so", "is no plug-in of weir: one of its files needs");
  (void)changed("old.so", "weir-plugin:0.", "weir-plugin:9.");
  expect_refused("list --plugin old.so", "is built for the interface 9.");
  expect_refused("list --plugin old.so", "build it again with the headers of this weir");
  (void)changed("strings.so", ";libstdc++;", ";libelse++;");
  expect_refused("list --plugin strings.so", "is built with libelse++");
}

TEST_F(Plugin, TwoModelsCannotHaveOneName) {
  (void)other("again.so");
  expect_refused("list --plugin lib/models.so --plugin again.so",
                 "its queueing 'leaf-modulo' has the name of one that models.so brought");
}

TEST_F(Plugin, OtherRanksLoadIt) {
  if (!fs::exists(fs::path(WEIR_PROGRAM).parent_path() / "weir-mpi") ||
      place.shell("command -v mpirun").status != 0) {
    GTEST_SKIP() << "there is no mpirun, or weir is built without MPI";
  }
  const Outcome run = place.shell("mpirun --allow-run-as-root --oversubscribe -n 2 '" WEIR_PROGRAM
                                  "' run x.toml --plugin lib/models.so --quiet --no-report");
  EXPECT_EQ(run.status, 0) << run.errors;
}

}  // namespace
}  // namespace weir::cli::plugin_test
