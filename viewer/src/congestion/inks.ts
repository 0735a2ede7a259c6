import type { Theme } from "../palette";

/** Colours of what is no link. */
export interface Inks {
  surface: string;
  node: string;
  nodeLine: string;
  host: string;
  text: string;
  faint: string;
}

export const INKS: Record<Theme, Inks> = {
  light: {
    surface: "#ffffff",
    node: "#f4f6f8",
    nodeLine: "#7d8a99",
    host: "#c3ccd6",
    text: "#1b2430",
    faint: "#66727f",
  },
  dark: {
    surface: "#151b22",
    node: "#222b35",
    nodeLine: "#7f8d9c",
    host: "#44515f",
    text: "#e6ebf0",
    faint: "#94a1af",
  },
};
