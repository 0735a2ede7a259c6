/**
 * Colours. Categories: the report's, which its figures on paper have, too. Shares: maps whose
 * lightness changes monotonically, interpolated in OKLab.
 */
import type { Look, SymbolName } from "./data";

export type Theme = "light" | "dark";

let look: Look = {
  colours: { light: ["#000000"], dark: ["#ffffff"], letters: ["#000000"] },
  reference_symbols: [],
};

/** Before anything is drawn. */
export function useLook(given: Look): void {
  look = given;
}

export function category(index: number, theme: Theme): string {
  const colours = look.colours[theme];
  return colours[index % colours.length]!;
}

/** A line's colour for its name: so dark on white that small letters can be read. */
export function letters(colour: string, theme: Theme): string {
  if (theme === "dark") return colour;
  return look.colours.letters[look.colours.light.indexOf(colour)] ?? colour;
}

/** Published points with equal texts have equal symbols. */
export function symbolOf(texts: string[], text: string): SymbolName {
  const symbols = look.reference_symbols;
  return symbols[Math.max(0, texts.indexOf(text)) % symbols.length] ?? "circle";
}

/** What the colour of a link shows: two shares of time, or a number of set-aside queues. */
export type MapName = "utilization" | "wait" | "queues";

// From the background to full; blue for load, purple for waiting, green for set-aside queues: trees
// are orange and red.
const ANCHORS: Record<Theme, Record<MapName, string[]>> = {
  light: {
    utilization: ["#e3e9ef", "#a9cfe6", "#5aa7d0", "#1f78b0", "#0b4a82", "#08264f"],
    wait: ["#e6e5ec", "#cbbfe3", "#a78fd0", "#8358b5", "#5f2a8f", "#360f5c"],
    queues: ["#e4eae7", "#aedcc6", "#5fbf98", "#1d9770", "#0a6b4f", "#053f30"],
  },
  dark: {
    utilization: ["#232d37", "#1d4e74", "#1f78ae", "#4ba6dc", "#93d0f4", "#e0f4ff"],
    wait: ["#29273a", "#49337d", "#7449b5", "#a070dc", "#cba4f3", "#f3e4ff"],
    queues: ["#24302c", "#17553f", "#178060", "#2fb088", "#86dcbd", "#dcfff0"],
  },
};

export const MAP_STEPS = 64;

type Lab = [number, number, number];

const maps = new Map<string, string[]>();

/** Colours for shares 0 to 1 in MAP_STEPS steps. */
export function colourMap(name: MapName, theme: Theme): string[] {
  const key = `${name} ${theme}`;
  let colours = maps.get(key);
  if (!colours) {
    const anchors = ANCHORS[theme][name].map(toLab);
    colours = Array.from({ length: MAP_STEPS }, (_, step) => {
      const at = (step / (MAP_STEPS - 1)) * (anchors.length - 1);
      const low = Math.min(anchors.length - 2, Math.floor(at));
      return toHex(mix(anchors[low]!, anchors[low + 1]!, at - low));
    });
    maps.set(key, colours);
  }
  return colours;
}

export function lightness(hex: string): number {
  return toLab(hex)[0];
}

/** Colours of congestion trees. */
export interface TreeColours {
  root: string;
  /** Nearest to the root first; the last one for everything farther. */
  branches: string[];
  victim: string;
  contributor: string;
}

export function treeColours(theme: Theme): TreeColours {
  return theme === "light"
    ? {
        root: "#b3261e",
        branches: ["#d5420a", "#e3700f", "#e8981c", "#d9b031"],
        victim: "#b0307e",
        contributor: "#b3261e",
      }
    : {
        root: "#ff5a4e",
        branches: ["#ff7a33", "#f79a3e", "#f3b854", "#f0d77a"],
        victim: "#f08cc6",
        contributor: "#ff5a4e",
      };
}

/** Roots of set-aside queues. */
export function setAsideColour(theme: Theme): string {
  return theme === "light" ? "#0a6b4f" : "#86dcbd";
}

function mix(a: Lab, b: Lab, share: number): Lab {
  return [0, 1, 2].map((i) => a[i]! + (b[i]! - a[i]!) * share) as Lab;
}

function toLab(hex: string): Lab {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Lab;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toHex([light, a, b]: Lab): string {
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return (
    "#" +
    linear
      .map((value) => {
        const clipped = Math.min(1, Math.max(0, value));
        const encoded =
          clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
        return Math.round(encoded * 255)
          .toString(16)
          .padStart(2, "0");
      })
      .join("")
  );
}
