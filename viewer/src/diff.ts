/** A line of a comparison of two texts. */
export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

/** The longest common subsequence of lines; configurations have a few hundred. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i) {
    for (let k = b.length - 1; k >= 0; --k) {
      common[i * width + k] =
        a[i] === b[k]
          ? common[(i + 1) * width + k + 1]! + 1
          : Math.max(common[(i + 1) * width + k]!, common[i * width + k + 1]!);
    }
  }
  const result: DiffLine[] = [];
  let i = 0;
  let k = 0;
  while (i < a.length || k < b.length) {
    if (i < a.length && k < b.length && a[i] === b[k]) {
      result.push({ kind: "same", text: a[i]! });
      ++i;
      ++k;
    } else if (
      i < a.length &&
      (k >= b.length || common[(i + 1) * width + k]! >= common[i * width + k + 1]!)
    ) {
      result.push({ kind: "removed", text: a[i++]! });
    } else result.push({ kind: "added", text: b[k++]! });
  }
  return result;
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
