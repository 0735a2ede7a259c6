import type { Frames, Report } from "./data";

/** The report from the text in the page: plain JSON, or gzipped JSON in base64. */
export async function parseReport(text: string): Promise<Report> {
  const trimmed = text.trim();
  const json = trimmed.startsWith("{") ? trimmed : await inflate(bytesOf(trimmed));
  const report = JSON.parse(json) as Report;
  if (report.format !== 1) {
    throw new Error(`the data has format ${String(report.format)}; this page reads format 1`);
  }
  return report;
}

/** Bytes of a base64 text. */
export function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64.replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([bytes as BlobPart]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("gzip"))).text();
}

/** Decoded frames: 255 * share, time by time. */
export interface FrameData {
  times: number[];
  ports: number;
  utilization: Uint8Array;
  wait: Uint8Array;
  /** Numbers of queues; null without congestion isolation. */
  queues: Uint8Array | null;
}

/** Throws when the arrays do not have the length that times and ports ask for. */
export function decodeFrames(frames: Frames, ports: number): FrameData {
  const utilization = bytesOf(frames.utilization);
  const wait = bytesOf(frames.wait);
  const queues = frames.set_aside === undefined ? null : bytesOf(frames.set_aside);
  const expected = frames.times_ns.length * ports;
  const planes = [utilization, wait, ...(queues ? [queues] : [])];
  if (planes.some((plane) => plane.length !== expected)) {
    throw new Error(
      `frames of ${frames.times_ns.length} times and ${ports} ports hold ` +
        `${planes.map((plane) => plane.length).join(" and ")} bytes in place of ${expected}`,
    );
  }
  return { times: frames.times_ns, ports, utilization, wait, queues };
}
