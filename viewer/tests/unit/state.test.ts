import assert from "node:assert/strict";
import { test } from "node:test";
import { fromHash, initialState, toHash, withLog } from "../../src/state";
import { emptyReport, quickReport } from "../fixtures/report";

const report = quickReport(2, 10);
const base = initialState(report);

test("at first: finished runs chosen, the first with a tree in view at its worst", () => {
  assert.deepEqual(base.chosen, [0, 1, 2, 3]);
  assert.equal(base.focus, 0);
  const sizes = new Map<number, number>();
  for (const tree of report.runs[0]!.trees) {
    sizes.set(tree.t_ns, (sizes.get(tree.t_ns) ?? 0) + tree.branches.length + 1);
  }
  assert.equal(sizes.get(base.time!), Math.max(...sizes.values()));
});

test("the address holds what differs, and reads back to it", () => {
  assert.equal(toHash(base, base, report), "");
  const state = {
    ...base,
    focus: 2,
    chosen: [3, 1],
    time: 5e5,
    colour: "wait" as const,
    trees: false,
    sort: "efficiency[]:down",
    filter: "queue & more",
    series: "efficiency[cold]",
    published: false,
    beside: 1,
    pick: "link s3[5]",
    columns: "efficiency|tree_size",
    across: "tree_size",
    front: true,
    single: true,
    log: "series.y",
  };
  const hash = toHash(state, base, report);
  assert.match(hash, /run=3&beside=2&with=4\.2/);
  assert.deepEqual(fromHash(`#${hash}`, base, report), state);
  assert.deepEqual(
    fromHash(toHash({ ...base, time: null, chosen: [] }, base, report), base, report),
    { ...base, time: null, chosen: [] },
  );
});

test("an address of another report does no harm", () => {
  assert.deepEqual(fromHash("#run=99&with=77&colour=red&t=x", base, report), {
    ...base,
    chosen: [],
  });
  assert.equal(initialState(emptyReport()).time, null);
});

test("logarithmic axes are those of the figures, and can be switched", () => {
  assert.equal(base.log, "histogram.x histogram.y");
  const asked = quickReport(2, 4);
  asked.figures[0]!.log = ["y"];
  assert.equal(initialState(asked).log, "series.y histogram.x histogram.y");
  assert.equal(withLog(base.log, "scalar.y", true), "histogram.x histogram.y scalar.y");
  assert.equal(withLog(base.log, "histogram.x", false), "histogram.y");
});
