import { diffArrays } from "diff";

/** A line of a comparison of two texts. */
export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

/** What turns one text into the other, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  return diffArrays(before.split("\n"), after.split("\n")).flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => ({ kind: added ? "added" : removed ? "removed" : "same", text })),
  );
}

/** Lines that differ with so many around them; null stands for lines left out. */
export function withContext(lines: DiffLine[], context: number): (DiffLine | null)[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, at) => {
    if (line.kind === "same") return;
    near.fill(1, Math.max(0, at - context), Math.min(lines.length, at + context + 1));
  });
  // the heading of its section says where a changed key belongs
  lines.forEach((_, at) => {
    if (!near[at]) return;
    for (let up = at; up >= 0; --up) {
      if (!/^\s*\[/.test(lines[up]!.text)) continue;
      near[up] = 1;
      break;
    }
  });
  const result: (DiffLine | null)[] = [];
  lines.forEach((line, at) => {
    if (near[at]) result.push(line);
    else if (result.length === 0 || result[result.length - 1] !== null) result.push(null);
  });
  return result;
}
