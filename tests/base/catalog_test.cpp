#include "weir/base/catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace weir {
namespace {

using Type = ParameterType;

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> all{
      Parameter::of(Type::integer, "ports", "ports of a switch").range(1, 64).by_default("8"),
      Parameter::of(Type::real, "load", "offered load").range(0, 1).by_default("1"),
      Parameter::of(Type::text, "mode", "switch mode")
          .one_of({"fixed", "random"})
          .by_default("fixed"),
      Parameter::of(Type::boolean, "check", "check").by_default("true"),
      Parameter::of(Type::time, "delay", "link delay").range(1'000, 1e9).by_default("30 ns"),
      Parameter::of(Type::bytes, "buffer", "buffer size").at_least(2048).by_default("0.5 MiB"),
      Parameter::of(Type::rate, "rate", "link rate").by_default("100 Gbps"),
      Parameter::of(Type::integers, "hosts", "hosts").at_least(0).by_default("[1, 2]"),
      Parameter::of(Type::reals, "weights", "weights").by_default("[0.5, 1]"),
      Parameter::of(Type::texts, "names", "names").by_default("[\"a\", \"b\"]"),
      Parameter::of(Type::path, "file", "file"),
      Parameter::of(Type::any, "pattern", "pattern").by_default("uniform"),
  };
  return all;
}

Settings check(const std::string& text, const std::vector<Parameter>& described = parameters(),
               const std::vector<std::string>& also_known = {}) {
  return Settings::check(parse_toml(text, "dir/x.toml"), described, "net", also_known);
}

std::string error_of(const std::string& text,
                     const std::vector<Parameter>& described = parameters()) {
  try {
    check(text, described);
    return "no error";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Settings, TakesGivenValues) {
  const Settings settings = check(
      "ports = 64\nload = 0.25\nmode = \"random\"\ncheck = false\ndelay = \"1.5 us\"\n"
      "buffer = \"4 KiB\"\nrate = \"12.5 GB/s\"\nhosts = [5, 0]\nweights = [1, 2.5]\n"
      "names = []\nfile = \"/a/b.txt\"\npattern = { kind = \"shift\" }\n");
  EXPECT_EQ(settings.integer("ports"), 64);
  EXPECT_EQ(settings.real("load"), 0.25);
  EXPECT_EQ(settings.text("mode"), "random");
  EXPECT_FALSE(settings.boolean("check"));
  EXPECT_EQ(settings.time("delay"), nanoseconds(1500));
  EXPECT_EQ(settings.bytes("buffer"), Bytes(4096));
  EXPECT_EQ(settings.rate("rate"), gigabits_per_second(100));
  EXPECT_EQ(settings.integers("hosts"), (std::vector<std::int64_t>{5, 0}));
  EXPECT_EQ(settings.reals("weights"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(settings.texts("names"), std::vector<std::string>{});
  EXPECT_EQ(settings.path("file"), "/a/b.txt");
  EXPECT_EQ(settings.raw("pattern").table().find("kind")->text(), "shift");
  EXPECT_TRUE(settings.given("pattern"));
}

TEST(Settings, FillsInDefaults) {
  const Settings settings = check("");
  EXPECT_EQ(settings.integer("ports"), 8);
  EXPECT_EQ(settings.real("load"), 1.0);
  EXPECT_EQ(settings.text("mode"), "fixed");
  EXPECT_TRUE(settings.boolean("check"));
  EXPECT_EQ(settings.time("delay"), nanoseconds(30));
  EXPECT_EQ(settings.bytes("buffer"), Bytes(524'288));
  EXPECT_EQ(settings.integers("hosts"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(settings.reals("weights"), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(settings.texts("names"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(settings.raw("pattern").text(), "uniform");
  EXPECT_TRUE(settings.has("ports"));
  EXPECT_FALSE(settings.given("ports"));
  EXPECT_FALSE(settings.has("file"));
}

TEST(Settings, ResolvesPathsAgainstTheFileThatNamesThem) {
  const std::string expected = (std::filesystem::current_path() / "dir/sub/f.txt").string();
  EXPECT_EQ(check("file = \"sub/./f.txt\"").path("file"), expected);
  EXPECT_EQ(check("file = \"../dir/sub/f.txt\"").path("file"), expected);
  EXPECT_EQ(error_of("file = \"\""),
            "dir/x.toml:1:8: net.file: must be a file name, not an empty text");
}

TEST(Settings, RefusesUnknownKeysAtTheKey) {
  EXPECT_EQ(error_of("ports = 4\n  prots = 4\n"),
            "dir/x.toml:2:3: net.prots: unknown key (did you mean 'ports'?)");
  EXPECT_EQ(error_of("zzzzzz = 4\n"),
            "dir/x.toml:1:1: net.zzzzzz: unknown key (known: ports, load, mode, check, delay, "
            "buffer, rate, hosts, weights, names, file, pattern)");
}

TEST(Settings, SkipsKeysThatOthersKnow) {
  EXPECT_EQ(check("type = \"x\"\n", parameters(), {"type"}).integer("ports"), 8);
  try {
    check("tpye = \"x\"\n", parameters(), {"type"});
    FAIL() << "unknown key was accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "dir/x.toml:1:1: net.tpye: unknown key (did you mean 'type'?)");
  }
}

TEST(Settings, RefusesWrongTypes) {
  const std::string at = "dir/x.toml:1:";
  EXPECT_EQ(error_of("ports = \"8\""),
            at + "9: net.ports: must be an integer, as in 8, not a string");
  EXPECT_EQ(error_of("ports = 8.0"),
            at + "9: net.ports: must be an integer, as in 8, not a real number");
  EXPECT_EQ(error_of("load = true"),
            at + "8: net.load: must be a number, as in 0.5, not true or false");
  EXPECT_EQ(error_of("mode = 1"),
            at + "8: net.mode: must be a string, as in \"name\", not an integer");
  EXPECT_EQ(error_of("check = \"yes\""), at + "9: net.check: must be true or false, not a string");
  EXPECT_EQ(error_of("delay = [1]"),
            at + "9: net.delay: must be a time with its unit, as in \"30 ns\", not a list");
  EXPECT_EQ(error_of("hosts = 1"),
            at + "9: net.hosts: must be a list of integers, as in [1, 2], not an integer");
  EXPECT_EQ(error_of("hosts = [1, \"a\"]"),
            at + "13: net.hosts[1]: must be an integer, as in 8, not a string");
  EXPECT_EQ(error_of("weights = {}"),
            at + "11: net.weights: must be a list of numbers, as in [0.5, 1], not a table");
  EXPECT_EQ(error_of("names = [[]]"),
            at + "10: net.names[0]: must be a string, as in \"name\", not a list");
  EXPECT_EQ(error_of("file = 3"),
            at + "8: net.file: must be a file name, as in \"fabric.txt\", not an integer");
}

TEST(Settings, RefusesWrongUnits) {
  const std::string at = "dir/x.toml:1:";
  EXPECT_EQ(error_of("delay = 30"), at + "9: net.delay: needs a unit, as in \"30 ns\"");
  EXPECT_EQ(error_of("rate = 1.5"), at + "8: net.rate: needs a unit, as in \"100 Gbps\"");
  EXPECT_EQ(error_of("buffer = \"4096\""),
            at + "10: net.buffer: '4096' needs a unit, as in '4 KiB'");
  EXPECT_EQ(error_of("delay = \"4 KiB\""),
            at + "9: net.delay: '4 KiB' is an amount of data, not a time (units that fit: ps, ns, "
                 "us, ms, s)");
}

TEST(Settings, RefusesValuesOutOfRangeInTheirOwnUnit) {
  const std::string at = "dir/x.toml:1:";
  EXPECT_EQ(error_of("ports = 0"), at + "9: net.ports: must be between 1 and 64, not 0");
  EXPECT_EQ(error_of("ports = 65"), at + "9: net.ports: must be between 1 and 64, not 65");
  EXPECT_EQ(error_of("load = 1.01"), at + "8: net.load: must be between 0 and 1, not 1.01");
  EXPECT_EQ(error_of("delay = \"2 ms\""),
            at + "9: net.delay: must be between 1 ns and 1 ms, not 2 ms");
  EXPECT_EQ(error_of("buffer = \"2047 B\""),
            at + "10: net.buffer: must be at least 2 KiB, not 2047 B");
  EXPECT_EQ(error_of("hosts = [0, -1]"), at + "13: net.hosts[1]: must be at least 0, not -1");
  EXPECT_EQ(error_of("rate = \"-1 Gbps\""),
            at + "8: net.rate: must be at least 0 bps, not -1 Gbps");
}

TEST(Settings, AllowsNegativeQuantitiesOnlyWhereDescribed) {
  const std::vector<Parameter> described{
      Parameter::of(Type::time, "skew", "skew").at_least(-5'000)};
  EXPECT_EQ(check("skew = \"-5 ns\"", described).time("skew"), nanoseconds(-5));
  EXPECT_EQ(error_of("skew = \"-5.001 ns\"", described),
            "dir/x.toml:1:8: net.skew: must be at least -5 ns, not -5001 ps");
}

TEST(Settings, AcceptsTheLimitsThemselves) {
  EXPECT_EQ(check("ports = 1").integer("ports"), 1);
  EXPECT_EQ(check("ports = 64").integer("ports"), 64);
  EXPECT_EQ(check("delay = \"1 ns\"").time("delay"), nanoseconds(1));
}

TEST(Settings, RefusesUnknownChoices) {
  EXPECT_EQ(error_of("mode = \"randon\""),
            "dir/x.toml:1:8: net.mode: no choice is called 'randon' (did you mean 'random'?)");
  EXPECT_EQ(error_of("mode = \"\""),
            "dir/x.toml:1:8: net.mode: no choice is called '' (known: fixed, random)");
}

TEST(Settings, DemandsWhatIsRequired) {
  const std::vector<Parameter> described{
      Parameter::of(Type::integer, "k", "switch arity").required()};
  const ConfigTable table = parse_toml("a = 1\n[net]\n", "x.toml");
  try {
    Settings::check(table.find("net")->table(), described, "net");
    FAIL() << "a missing key was accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "x.toml:2:1: net.k: is missing; it must be an integer, as in 8 (switch arity)");
  }
}

TEST(Settings, PlacesTheModelsOwnErrors) {
  const Settings settings = check("load = 0.5\nports = 7\n");
  EXPECT_STREQ(settings.error("ports", "must be even").what(),
               "dir/x.toml:2:9: net.ports: must be even");
  const ConfigTable table = parse_toml("x = 1\n[net]\n", "x.toml");
  const Settings by_default = Settings::check(table.find("net")->table(), parameters(), "net");
  EXPECT_STREQ(by_default.error("ports", "must be even").what(),
               "x.toml:2:1: net.ports: must be even");
}

TEST(Settings, LeavesTheTopLevelUnnamed) {
  try {
    Settings::check(parse_toml("prots = 1", "x.toml"), parameters(), "");
    FAIL() << "unknown key was accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "x.toml:1:1: prots: unknown key (did you mean 'ports'?)");
  }
}

TEST(Settings, ResolvesToItself) {
  const Settings settings = check("delay = \"1500 ns\"\nload = 1\nfile = \"f.txt\"\n");
  const std::string once = to_toml(settings.resolved());
  const Settings again = Settings::check(parse_toml(once, "elsewhere/y.toml"), parameters(), "net");
  EXPECT_EQ(to_toml(again.resolved()), once);
  EXPECT_EQ(again.path("file"), settings.path("file"));
  EXPECT_NE(once.find("delay = \"1.5 us\"\n"), std::string::npos) << once;
  EXPECT_NE(once.find("load = 1.0\n"), std::string::npos) << once;
  EXPECT_NE(once.find("ports = 8\n"), std::string::npos) << once;
}

TEST(Settings, TellsTheProgrammerOfMistakes) {
  const Settings settings = check("");
  EXPECT_THROW((void)settings.integer("load"), std::logic_error);
  EXPECT_THROW((void)settings.integer("nothing"), std::logic_error);
  EXPECT_THROW((void)settings.path("file"), std::logic_error);
  for (const char* text : {"\"8\"", "many", "0", ""}) {
    const std::vector<Parameter> wrong{
        Parameter::of(Type::integer, "ports", "ports").at_least(1).by_default(text)};
    EXPECT_THROW(check("", wrong), std::logic_error) << text;
  }
}

using Maker = std::function<int(const Settings&)>;

Registry<Maker>& color_registry() {
  static Registry<Maker> registry("test-color");
  return registry;
}

const Registration<Maker> kRed{
    color_registry(), {"red", "A warm color.", "none", {}}, [](const Settings&) { return 1; }};
const Registration<Maker> kGreen{
    color_registry(), {"green", "A fresh color.", "none", {}}, [](const Settings&) { return 2; }};

TEST(Registry, FindsModelsByName) {
  const auto& model = color_registry().find("green", {}, "color");
  EXPECT_EQ(model.make(Settings::check({}, model.info.parameters, "")), 2);
  EXPECT_EQ(model.info.purpose, "A fresh color.");
}

TEST(Registry, SuggestsTheNearestModel) {
  const SourcePosition position{std::make_shared<const std::string>("x.toml"), 4, 8};
  const auto message = [&position](std::string_view name) -> std::string {
    try {
      (void)color_registry().find(name, position, "net.color");
      return "no error";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("gren"),
            "x.toml:4:8: net.color: no test-color is called 'gren' (did you mean 'green'?)");
  EXPECT_EQ(message("yellow"),
            "x.toml:4:8: net.color: no test-color is called 'yellow' (known: green, red)");
}

TEST(Registry, RefusesASecondModelOfTheSameName) {
  EXPECT_THROW(color_registry().add({{"red", "", "", {}}, nullptr}), std::logic_error);
  EXPECT_THROW(Registry<Maker>("test-color"), std::logic_error);
}

TEST(Registry, ReplacesAModelOfTheSameName) {
  static Registry<Maker> shapes("test-shape");  // the catalog keeps it
  shapes.replace({{"round", "first", "", {}}, nullptr});
  shapes.replace({{"round", "second", "", {}}, nullptr});
  ASSERT_EQ(shapes.models().size(), 1U);
  EXPECT_EQ(shapes.find("round", {}, "shape").info.purpose, "second");
}

// What begin_plugin() promises to who loads a library: whose models they are, and no exception.
TEST(Catalog, NotesWhatAPluginAdds) {
  static Registry<Maker> sounds("test-sound");
  sounds.add({{"high", "own", "", {}}, nullptr});
  Catalog::instance().begin_plugin("mine.so");
  sounds.add({{"low", "of mine.so", "", {}}, nullptr});
  sounds.add({{"high", "of mine.so", "", {}}, nullptr});
  const PluginModels mine = Catalog::instance().end_plugin();
  EXPECT_EQ(sounds.find("low", {}, "sound").info.plugin, "mine.so");
  EXPECT_EQ(sounds.find("high", {}, "sound").info.purpose, "own");
  ASSERT_EQ(mine.added.size(), 1U);
  ASSERT_EQ(mine.clashes.size(), 1U);
  EXPECT_EQ(mine.clashes[0].kind, "test-sound");
  EXPECT_EQ(mine.clashes[0].name, "high");
  EXPECT_EQ(mine.clashes[0].taken_by, "");
  for (const auto& [kind, name] : mine.added) kind->remove(name);
  EXPECT_EQ(sounds.models().size(), 1U);
  // Afterwards everything is as before.
  EXPECT_THROW(sounds.add({{"high", "", "", {}}, nullptr}), std::logic_error);
}

TEST(Catalog, ListsKindsAndTheirModelsByName) {
  color_registry();
  const CatalogKind* color = nullptr;
  std::vector<std::string> kinds;
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    kinds.push_back(kind->kind());
    if (kind->kind() == "test-color") color = kind;
  }
  EXPECT_TRUE(std::is_sorted(kinds.begin(), kinds.end()));
  ASSERT_NE(color, nullptr);
  const std::vector<const ModelInfo*> models = color->models();
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0]->name, "green");
  EXPECT_EQ(models[1]->name, "red");
}

}  // namespace
}  // namespace weir
