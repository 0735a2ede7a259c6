#include "weir/experiment/config/section_keys.hpp"

#include "weir/experiment/config/management/presets.hpp"
#include "weir/experiment/config/run_kind.hpp"

namespace weir::experiment {

namespace {

/// Kinds of experiments, or those that are searches.
std::vector<std::string> kind_names(bool searches) {
  std::vector<std::string> names;
  for (const ModelInfo* model : run_kind_registry().models()) {
    const RunKind& kind = run_kind_registry().find(model->name, {}, "experiment.kind").make;
    if (kind.is_search == searches) names.push_back(model->name);
  }
  return names;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const ModelInfo* preset : preset_registry().models()) names.push_back(preset->name);
  return names;
}

Keys<metrics::TreeThresholds> tree_keys() {
  using T = metrics::TreeThresholds;
  return {key(&T::root_queued, "root_queued",
              "bytes waiting for an output above which it may be the root of a congestion tree"),
          key(&T::root_utilization, "root_utilization",
              "least share of time for which the link of a root sends")
              .range(0, 1),
          key(&T::branch_wait, "branch_wait",
              "least share of time for which a branch of a congestion tree waits for credit")
              .range(0, 1)};
}

Keys<metrics::RecoverySettings> recovery_keys() {
  using R = metrics::RecoverySettings;
  return {key(&R::before, "recovery_before",
              "length of the time before the disturbance with which the efficiency is compared")
              .at_least(1),
          key(&R::level, "recovery_level",
              "share of the efficiency before the disturbance at which it counts as recovered")
              .range(0, 1),
          key(&R::hold, "recovery_hold", "time for which the efficiency has to stay recovered")
              .at_least(1)};
}

Keys<metrics::TrafficRecorderSettings> per_flow_key() {
  return {key(&metrics::TrafficRecorderSettings::per_flow, "per_flow",
              "whether to keep rates for each flow too, for 8 bytes a flow")};
}

Keys<metrics::LinkMonitorSettings> frames_key() {
  return {key(&metrics::LinkMonitorSettings::frames, "frames",
              "number of states of all links over time that the report page can replay; where "
              "there are more samples they are averaged; 0: none")
              .range(0, 10'000)};
}

Keys<metrics::RecorderSettings> record_keys() {
  using R = metrics::RecorderSettings;
  return Keys<R>{}
      .with(&R::trees, tree_keys())
      .with({key(&R::max_tree_records, "tree_records",
                 "number of congestion trees that are kept in full")
                 .range(0, 1'000'000),
             key(&R::max_set_aside_events, "set_aside_events",
                 "number of events of set-aside queues that are kept one by one, with an "
                 "[isolation] model")
                 .range(0, 1'000'000),
             key(&R::set_aside_events_from, "set_aside_events_from",
                 "time from which on events of set-aside queues are kept")})
      .with(&R::links, frames_key());
}

}  // namespace

const Keys<ExperimentKeys>& experiment_keys() {
  using E = ExperimentKeys;
  static const Keys<E> keys{
      key(&E::name, "name",
          "short name of the experiment and of the folder of its results (default: the file's "
          "name)")
          .without_default(),
      key(&E::kind, "kind",
          "what is done: simulation (packets are simulated), network (topology and routing are "
          "measured), rates (rates of the [[flow]]s are calculated), queue (a queueing model is "
          "solved), saturation (the load at which latency diverges is searched). Keys that only "
          "packets need, such as duration and queueing, are not used by the others")
          .one_of(kind_names(false)),
      key(&E::title, "title", "title of tables and plots, one line"),
      key(&E::description, "description", "what the experiment is about, for the report"),
      key(&E::seed, "seed", "seed of all random streams").at_least(0),
      key(&E::duration, "duration", "simulated time; with `until`, the longest simulated time")
          .at_least(1),
      key(&E::find, "find",
          "search for a load: \"saturation\", the load beyond which latency diverges, or a table "
          "(see experiment.find)"),
      key(&E::until, "until",
          "when a run ends before `duration`: \"drained\", when all sources have ended and every "
          "packet is delivered; \"workload\", when all workloads are done; or a table (see "
          "experiment.until), when all messages of one traffic entry are delivered, or a mean is "
          "known well enough"),
      key(&E::warmup, "warmup",
          "time at which measuring starts; \"auto\": where MSER-5 finds the end of the start-up, "
          "with confidence intervals")
          .one_of({TimeOrAuto::kAuto}),
      key(&E::threads, "threads",
          "threads that simulate one run together, each a part of the network; 0: one a core. "
          "Results are the same to the bit, whatever their number")
          .range(0, 1024)};
  return keys;
}

const Keys<FindKeys>& find_keys() {
  using F = FindKeys;
  static const Keys<F> keys{
      key(&F::goal, "goal",
          "goal of the search: saturation is the load beyond which latency diverges")
          .one_of(kind_names(true)),
      key(&F::load, "load",
          "dotted key of the load to vary, as in traffic.NAME.arrivals.load (default: the only "
          "one)"),
      key(&F::low, "low", "load that is taken to be sustained; none at or below it is tried")
          .range(0, 1e6),
      key(&F::high, "high", "highest load, which is tried first").range(0, 1e6),
      key(&F::resolution, "resolution",
          "distance between the loads that are tried; at most 12 simulations are made")
          .range(1e-6, 1e6)};
  return keys;
}

const Keys<UntilKeys>& until_keys() {
  using U = UntilKeys;
  static const Keys<U> keys{
      key(&U::delivered, "delivered",
          "name of the traffic entry whose last message ends the run: all of its sources have sent "
          "their `messages`, and these have arrived. Other traffic goes on until then"),
      key(&U::metric, "metric",
          "metric whose steady-state mean ends the run, as in latency_mean[cold]"),
      key(&U::relative_half_width, "relative_half_width",
          "half width of the confidence interval at which the run ends, over the mean")
          .range(1e-4, 1),
      key(&U::confidence, "confidence", "confidence level of that interval").range(0.5, 0.999)};
  return keys;
}

const Keys<LinkKeys>& link_keys() {
  static const Keys<topology::LinkSpec> spec{
      key(&topology::LinkSpec::rate, "rate", "data rate of each direction").at_least(1),
      key(&topology::LinkSpec::delay, "delay", "propagation delay of each direction")};
  using L = LinkKeys;
  static const Keys<L> keys =
      Keys<L>{}
          .with(&L::link, spec)
          .with({key(&L::lengths, "lengths",
                     "distribution of cable lengths in metres, in place of `delay`: { model = "
                     "\"uniform\", shortest = 1.0, longest = 20.0 }; the seed draws each cable "
                     "(see weir list lengths)"),
                 key(&L::per_metre, "delay_per_metre",
                     "propagation delay of a metre of drawn cable (default: 5 ns, light in glass "
                     "or copper)")
                     .range(1, 1e6),
                 key(&L::perturbation, "perturbation",
                     "largest change of a cable's delay, drawn for every cable by the seed, so "
                     "that ties fall otherwise in every replication. At most the delay of the "
                     "shortest cable; cables of 0 ns become longer")
                     .range(0, 1e9)});
  return keys;
}

const Keys<RoutingKeys>& routing_keys() {
  static const Keys<RoutingKeys> keys{
      key(&RoutingKeys::allows_cycles, "allow_cycles",
          "whether to run although the channel dependencies have a cycle, so that the network may "
          "deadlock")};
  return keys;
}

const Keys<ManagementKeys>& management_keys() {
  static const Keys<ManagementKeys> keys{
      key(&ManagementKeys::preset, "preset",
          "marking, reaction and ACKs, or classes of service, as a publication combines them, for "
          "whatever the experiment does not set itself (see weir describe NAME)")
          .one_of(preset_names())};
  return keys;
}

const Keys<NetworkKeys>& network_keys() {
  using N = NetworkKeys;
  static const Keys<N> keys{
      key(&N::pair, "pair",
          "source and destination whose route and latencies are told besides, as in [0, 5]"),
      key(&N::path_pairs, "path_pairs",
          "number of pairs of hosts whose allowed paths are counted, spread evenly over all pairs")
          .range(1, 100'000'000),
      key(&N::follows_routes, "routes",
          "whether to follow the route of every pair of hosts; without it there are no paths, "
          "balance and latencies, which take hours beyond 30,000 hosts")};
  return keys;
}

const Keys<MetricsKeys>& metrics_keys() {
  using M = MetricsKeys;
  using R = metrics::RecorderSettings;
  static const Keys<M> keys =
      Keys<M>{
          key(&M::bin, "bin",
              "width of a bin of all series, and sampling period of whatever is sampled "
              "(default: about a hundredth of the duration, but 1 us where that is less)")
              .at_least(1)
              .without_default(),
          key(&M::watches_links, "links",
              "whether to keep series of groups of links, sampled buffers and congestion trees; "
              "without them there are means over the measuring window"),
          key(&M::link_series, "link_series",
              "whether to keep series of single links, too, which are most of what a run "
              "leaves behind: of all up to 256 ports, else of those that wait most")}
          .with(&M::recorder, Keys<R>{}.with(&R::traffic, per_flow_key()))
          .with({key(&M::waiting, "waiting",
                     "whether to measure how long packets of cold classes stand in queues that hot "
                     "traffic holds up, and to count victims by that, whatever routes they take; "
                     "needs a class with role = \"cold\""),
                 key(&M::victim_wait, "victim_wait",
                     "with waiting = true: a packet that waits behind hot traffic no longer than "
                     "that in all its queues together makes nobody a victim"),
                 key(&M::slowdown, "slowdown",
                     "whether to measure completion times of messages and their slowdowns, for "
                     "some 4 bytes a flow and time for every message"),
                 key(&M::sizes, "sizes",
                     "largest payloads of size classes for which slowdowns and completion times "
                     "are told besides, ascending, as in [\"10 KB\", \"100 KB\"]; larger "
                     "messages are a class of their own (default: sizes are not told apart)"),
                 key(&M::intervals, "intervals",
                     "whether to give 95 % confidence intervals of steady-state means, and \"not "
                     "stationary\" where there is no steady state (always given with `until` or a "
                     "detected warm-up)"),
                 key(&M::disturbed_from, "disturbed_from",
                     "time at which something, such as an incast, begins to disturb the network, "
                     "from which on the recovery of the efficiency is measured (default: not "
                     "measured)"),
                 key(&M::disturbed_until, "disturbed_until",
                     "time at which the disturbance ends; nothing later counts (default: the end "
                     "of the run)")})
          .with(&M::recovery, recovery_keys())
          .with(&M::recorder, record_keys());
  return keys;
}

const Keys<QueueKeys>& queue_keys() {
  using Q = QueueKeys;
  static const Keys<Q> keys{
      key(&Q::simulate, "simulate",
          "number of arrivals that are simulated beside the model, a tenth of them as warm-up; 0: "
          "none")
          .range(0, 1e12),
      key(&Q::states, "states",
          "number of states n from 0 on for which the probability of n packets is written; 0: "
          "none")
          .range(0, 1'000'001)};
  return keys;
}

const Keys<ResultsKeys>& results_keys() {
  using R = ResultsKeys;
  static const Keys<R> keys{
      key(&R::exports, "export", "formats of files to write beside the database")
          .one_of({"csv", "json"}),
      key(&R::wants_report, "report", "whether to write report.html beside the results"),
      key(&R::columns, "columns",
          "metrics of the summary table, as in latency_p99[cold] (default: a choice of those that "
          "the runs have)")};
  return keys;
}

const Keys<CaseKeys>& case_keys() {
  using C = CaseKeys;
  static const Keys<C> keys{
      key(&C::name, "name", "name of this variant in tables and plots").required(),
      key(&C::group, "group",
          "group of the case; every case of a group is combined with every case of the other "
          "groups"),
      key(&C::set, "set",
          "keys that the case changes: { \"queueing.model\" = \"dbbm\", \"queueing.queues\" = 3 "
          "}")};
  return keys;
}

const Keys<ReplicateKeys>& replicate_keys() {
  static const Keys<ReplicateKeys> keys{
      key(&ReplicateKeys::seeds, "seeds",
          "number of runs of every case and point, with the seeds experiment.seed, the next one, "
          "and so on")
          .range(1, 1'000'000)};
  return keys;
}

}  // namespace weir::experiment
