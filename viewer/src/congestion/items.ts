/** Something drawn: a host, a switch, or several of them. Coordinates: 0 to 1 in both directions. */
export interface Item {
  kind: "host" | "switch";
  nodes: number[];
  label: string;
  level: number;
  /** Drawn in place of more than one node; clicking opens it. */
  group: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The cables between two items: ports that send from a to b, and from b to a. */
export interface Bundle {
  a: number;
  b: number;
  forward: number[];
  backward: number[];
  /** Drawn as an arc that rises by so many pixels, as it would lie on others otherwise; 0: straight. */
  bend: number;
}

export interface Row {
  y: number;
  /** "stage 1"; empty where there is one stage only. */
  name: string;
  /** "72 switches". */
  count: string;
}
