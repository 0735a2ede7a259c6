#include "parallel/knobs.hpp"

namespace weir::experiment::parallel {
namespace {

std::string lengths(Draw& draw) {
  if (draw.happens(0.3)) return "[link]\nlengths = { model = \"list\", metres = [0.5, 1, 3] }\n";
  return draw.text(
      "[link]\nlengths = {{ model = \"uniform\", shortest = {:.3f}, longest = {:.3f} }}\n",
      Real{0.3, 2.0}, Real{2.0, 20.0});
}

std::string sizes(Draw& draw) {
  switch (draw.below(4)) {
    case 0:
      return draw.text("{{ model = \"fixed\", size = \"{} B\" }}", Between{1, 6'000});
    case 1:
      return draw.text(
          "{{ model = \"bimodal\", small = \"{} B\", large = \"{} B\", "
          "large_probability = {:.2f} }}",
          Between{1, 300}, Between{301, 9'000}, Real{0.05, 0.9});
    case 2:
      return draw.text("{{ model = \"geometric\", unit = \"64 B\", mean = \"{} B\" }}",
                       Between{100, 2'500});
    default:
      return draw.text("{{ model = \"fixed\", size = \"{} KiB\" }}", Between{1, 8});
  }
}

std::string arrivals(Draw& draw) {
  constexpr Real kLoad{0.05, 1.0};
  switch (draw.below(6)) {
    case 0:
      return draw.text("{{ model = \"poisson\", load = {:.2f} }}", kLoad);
    case 1:
      return draw.text("{{ model = \"constant\", load = {:.2f} }}", kLoad);
    case 2:
      return draw.text("{{ model = \"generalized-exponential\", load = {:.2f}, scv = {:.1f} }}",
                       kLoad, Real{1.5, 8.0});
    case 3:
      return draw.text("{{ model = \"bernoulli\", load = {:.2f} }}", kLoad);
    case 4:
      return draw.text("{{ model = \"once\", count = {} }}", Between{1, 5});
    default:
      return "{ model = \"saturated\" }";
  }
}

/// Beside the hot and the cold class of the small experiment.
std::string third_class(Draw& draw) {
  std::string text =
      draw.text("[[traffic]]\nname = \"more\"\ndestinations = {{ model = \"{}\" }}\n",
                draw.of({"uniform", "complement", "neighbour", "random-permutation", "tornado",
                         "bit-reverse", "transpose"}));
  text += "arrivals = " + arrivals(draw);
  text += "\nsizes = " + sizes(draw);
  text += draw.text("\nstop = \"{} ns\"\n", Between{1'500, 6'000});
  if (draw.happens(0.3)) text += draw.text("start = \"{} ns\"\n", Between{1, 1'400});
  if (draw.happens(0.3)) text += draw.text("messages = {}\n", Between{1, 30});
  if (draw.happens(0.3)) text += draw.text("connections = {}\n", Between{2, 4});
  if (draw.happens(0.3)) text += draw.text("service_level = {}\n", Between{1, 3});
  if (draw.happens(0.3)) text += "sources = { fraction = 0.5, choose = \"random\" }\n";
  return text;
}

std::string end_of_run(Draw& draw) {
  if (draw.happens(0.3)) {  // while much is under way
    return draw.text(
        "[experiment]\nduration = \"40 us\"\n"
        "until = {{ metric = \"{}\", relative_half_width = 0.5 }}\n",
        draw.of({"latency_mean", "throughput"}));
  }
  return draw.text("[experiment]\nwarmup = \"{} ns\"\n", Between{1, 3'000});
}

std::string flow_routing(Draw& draw) {
  std::string text = draw.text("policy = \"{}\"\n", draw.of({"ascent", "forced-dir", "free-dir"}));
  text += draw.text("metric = \"{}\"\ntie = \"{}\"\n", draw.of({"flows", "weight"}),
                    draw.of({"random", "dp-first"}));
  text += draw.text("flow = \"{}\"\ntear_down = \"{}\"\n", draw.of({"idle", "message"}),
                    draw.of({"packet", "last-packet"}));
  if (draw.happens(0.5)) text += draw.text("prc_size = {}\n", Between{1, 3});
  return text;
}

/// One key with a value that is drawn.
template <class... Values>
Knob key(const char* name, double probability, std::string format, Values... values) {
  return {name, probability, [=](Draw& draw) { return draw.text(format.c_str(), values...); }};
}

Knob choice(const char* name, double probability, std::string section, std::string key,
            std::initializer_list<const char*> choices) {
  const std::vector<std::string> all(choices.begin(), choices.end());
  return {name, probability, [=](Draw& draw) {
            return "[" + section + "]\n" + key + " = \"" + all[draw.below(all.size())] + "\"\n";
          }};
}

Knob words(const char* name, double probability, std::string toml) {
  return {name, probability, [=](Draw&) { return toml; }};
}

void add_links(std::vector<Knob>& all) {
  all.push_back(key("delay", 0.6, "[link]\ndelay = \"{} ps\"\n", Between{200, 300'000}));
  all.push_back({"lengths", 0.3, lengths});
  all.push_back(key("perturbation", 0.4, "[link]\nperturbation = \"{} ps\"\n", Between{1, 5'000}));
  all.push_back(choice("rate", 0.5, "link", "rate",
                       {"8 Gbps", "25 Gbps", "40 Gbps", "97 Gbps", "200 Gbps", "400 Gbps"}));
}

void add_switches(std::vector<Knob>& all) {
  all.push_back(key("ingress", 0.6, "[buffer]\ningress = \"{} B\"\n", Between{2'000, 90'000}));
  all.push_back(key("egress", 0.4, "[buffer]\negress = \"{} B\"\n", Between{2'000, 90'000}));
  all.push_back(words("scope", 0.3, "[buffer]\nscope = \"switch\"\n"));
  all.push_back(words("switching", 0.3, "[switch]\nswitching = \"store-and-forward\"\n"));
  all.push_back(
      key("routing delay", 0.5, "[switch]\nrouting_delay = \"{} ps\"\n", Between{1, 200'000}));
  all.push_back(
      key("crossbar delay", 0.4, "[switch]\ncrossbar_delay = \"{} ps\"\n", Between{1, 100'000}));
  all.push_back(key("speedup", 0.4, "[switch]\nspeedup = {:.2f}\n", Real{1.0, 3.0}));
  all.push_back(key("iterations", 0.2, "[switch]\niterations = {}\n", Between{1, 4}));
  all.push_back(words("no VOQs", 0.2, "[switch]\nvoq = false\n"));
  all.push_back({"thresholds", 0.3, [](Draw& draw) {
                   return draw.text("[flow_control]\ngo = {:.2f}\nstop = {:.2f}\n", Real{0.1, 0.5},
                                    Real{0.5, 0.9});
                 }});
  all.push_back(words("static threshold", 0.2,
                      "[flow_control]\nthreshold = \"static\"\nstatic_share = 0.5\n"));
  all.push_back(key("pause response", 0.3, "[flow_control]\npause_response = \"{} ps\"\n",
                    Between{1, 90'000}));
}

void add_hosts(std::vector<Knob>& all) {
  all.push_back(key("mtu", 0.6, "[host]\nmtu = \"{} B\"\n", Between{48, 4'096}));
  all.push_back(key("header", 0.4, "[host]\nheader = \"{} B\"\n", Between{1, 60}));
  all.push_back(choice("source queues", 0.5, "host", "source_queues",
                       {"fifo", "per-class", "per-destination"}));
  all.push_back(
      words("modulo", 0.1, "[host]\nsource_queues = \"modulo\"\nsource_queue_count = 3\n"));
  all.push_back(words("host memory", 0.1,
                      "[host]\nsource_queues = \"shared-memory\"\nsource_memory = \"32 KiB\"\n"));
  all.push_back(key("backlog", 0.3, "[host]\nbacklog = \"{} B\"\n", Between{9'000, 30'000}));
  all.push_back(words("discard", 0.3, "[host]\nwhen_full = \"discard\"\n"));
  all.push_back(key("staged", 0.3, "[host]\nstaged_packets = {}\n", Between{1, 6}));
  all.push_back(
      choice("saturation", 0.3, "host", "saturation", {"per-queue", "head-of-line", "full-rate"}));
  all.push_back(choice("acks", 0.5, "host", "acks", {"in-band", "ideal"}));
  all.push_back(key("ACK size", 0.3, "[host]\nack_size = \"{} B\"\n", Between{1, 200}));
  all.push_back(key("ACK jitter", 0.3, "[host]\nack_jitter = \"{} ps\"\n", Between{1, 100'000}));
  all.push_back(
      key("ACK delay", 0.2, "[host]\nack_delay = \"{} ps\"\n", Between{300'000, 2'000'000}));
  all.push_back(key("ACK level", 0.2, "[host]\nack_service_level = {}\n", Between{0, 3}));
}

void add_metrics(std::vector<Knob>& all) {
  all.push_back(key("bin", 0.5, "[metrics]\nbin = \"{} ps\"\n", Between{300'000, 3'000'000}));
  all.push_back(words("link series", 0.3, "[metrics]\nlink_series = true\n"));
  all.push_back(words("flows", 0.4, "[metrics]\nper_flow = true\n"));
  all.push_back(
      words("slowdown", 0.4, "[metrics]\nslowdown = true\nsizes = [\"600 B\", \"3 KB\"]\n"));
  all.push_back(words("intervals", 0.3, "[metrics]\nintervals = true\n"));
  all.push_back(key("trees", 0.4,
                    "[metrics]\nroot_queued = \"{} B\"\nroot_utilization = 0.3\n"
                    "branch_wait = 0.02\n",
                    Between{300, 4'000}));
  all.push_back(words("recovery", 0.3,
                      "[metrics]\ndisturbed_from = \"3 us\"\ndisturbed_until = \"5 us\"\n"
                      "recovery_before = \"2 us\"\nrecovery_hold = \"1 us\"\n"));
  all.push_back(words("no links", 0.1, "[metrics]\nlinks = false\n"));
}

/// Of runs with admission alone.
void add_connections(std::vector<Knob>& all) {
  constexpr Between kMbps{100, 30'000};
  all.push_back(key("hot reserve", 0.5, "[traffic.hot]\nreserve = \"{} Mbps\"\n", kMbps));
  all.push_back(key("cold reserve", 0.5, "[traffic.cold]\nreserve = \"{} Mbps\"\n", kMbps));
  all.push_back(key("retry", 0.7, "[admission]\nretry = \"{} ps\"\n", Between{1, 2'000'000}));
  all.push_back(key("attempts", 0.3, "[admission]\nattempts = {}\n", Between{1, 5}));
  all.push_back(words("one budget", 0.3, "[admission]\nbudget = \"one-for-all\"\n"));
  all.push_back(words("tables", 0.7,
                      "[admission]\ntables = \"connections\"\n"
                      "[switch]\narbiter = \"vl-weighted\"\n"));
  all.push_back(choice("entries end", 0.3, "admission", "entries_end",
                       {"with-connections", "with-last-of-vl"}));
  all.push_back(words("high VL", 0.3, "[admission]\nhigh_vls = [0]\n"));
}

void add_runs(std::vector<Knob>& all) {
  const auto put = [&](const char* name, double probability, const char* before,
                       std::string (*draw_it)(Draw&)) {
    all.push_back({name, probability, [=](Draw& draw) { return before + draw_it(draw) + "\n"; }});
  };
  put("end", 0.4, "", end_of_run);
  all.push_back(key("seed", 0.8, "[experiment]\nseed = {}\n", Between{2, 100'000}));
  put("hot load", 0.5, "[traffic.hot]\narrivals = ", arrivals);
  put("hot sizes", 0.4, "[traffic.hot]\nsizes = ", sizes);
  put("cold load", 0.6, "[traffic.cold]\narrivals = ", arrivals);
  put("cold sizes", 0.5, "[traffic.cold]\nsizes = ", sizes);
  put("third class", 0.5, "", third_class);
  put("paths by packets", 0.1, "[flow_routing]\nset_up = \"packets\"\n", flow_routing);
}

}  // namespace

std::string draw_network(Draw& draw) {
  switch (draw.below(13)) {
    case 0:
      return draw.text("[topology]\nmodel = \"k-ary-n-tree\"\nk = 2\nn = {}\n", Between{2, 4});
    case 1:
      return draw.text(
          "[topology]\nmodel = \"k-ary-n-tree\"\nk = {}\nn = 2\n"
          "stage_delays = [\"{} ps\", \"{} ps\"]\n",
          Between{3, 5}, Between{500, 90'000}, Between{500, 400'000});
    case 2:
      return draw.text("[topology]\nmodel = \"rlft\"\nports = {}\nstages = 2\n",
                       draw.of({"4", "6", "8"}));
    case 3:
      return "[topology]\nmodel = \"rlft\"\nports = 4\nstages = 3\n" +
             (draw.happens(0.5)
                  ? draw.text("stage_delays = [\"{} ps\", \"{} ps\", \"{} ps\"]\n",
                              Between{500, 20'000}, Between{500, 90'000}, Between{90'000, 900'000})
                  : "");
    case 4:
      return draw.text("[topology]\nmodel = \"torus\"\nsizes = [{}, {}]\n", Between{2, 4},
                       Between{2, 4});
    case 5:
      return draw.text("[topology]\nmodel = \"mesh\"\nsizes = [{}, {}]\n", Between{2, 4},
                       Between{2, 3});
    case 6:
      return "[topology]\nmodel = \"torus\"\nsizes = [2, 2, 3]\n";
    case 7:
      return draw.text("[topology]\nmodel = \"dragonfly\"\np = {}\na = {}\nh = 1\n", Between{1, 2},
                       Between{2, 4}) +
             (draw.happens(0.5) ? draw.text("host_delay = \"{} ps\"\nglobal_delay = \"{} ps\"\n",
                                            Between{500, 20'000}, Between{90'000, 900'000})
                                : "");
    case 8:
      return draw.text("[topology]\nmodel = \"single-switch\"\nhosts = {}\n", Between{4, 16});
    case 9:
      return "[topology]\nmodel = \"pgft\"\nchildren = [4, 3]\nparents = [1, 2]\n"
             "parallel = [1, 2]\n";
    case 10:
      return "[topology]\nmodel = \"xgft\"\nchildren = [3, 4]\nparents = [1, 3]\n"
             "stage_delays = [\"11 ns\", \"203 ns\"]\n";
    case 11:
      return draw.text("[topology]\nmodel = \"modified-k-ary-n-tree\"\nk = 2\nn = {}\n",
                       Between{2, 3});
    default:
      return draw.text("[topology]\nmodel = \"line\"\nswitches = {}\nhosts_per_switch = [{}]\n",
                       Between{2, 5}, Between{2, 3});
  }
}

const std::vector<Knob>& knobs() {
  static const std::vector<Knob> all = [] {
    std::vector<Knob> some;
    add_links(some);
    add_switches(some);
    add_hosts(some);
    add_metrics(some);
    add_runs(some);
    add_connections(some);
    return some;
  }();
  return all;
}

}  // namespace weir::experiment::parallel
