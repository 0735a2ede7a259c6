type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;

/** An element with attributes (`on…` are listeners; true: empty; false, null: left out). */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  apply(node, attributes);
  append(node, children);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, tag);
  apply(node, attributes);
  append(node, children);
  return node;
}

function apply(node: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
}

function append(node: Element, children: Child[]): void {
  for (const child of children) if (child) node.append(child);
}

/** These children in place of those that a node has. */
export function replace(node: Element, ...children: Child[]): void {
  node.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
}

/** A row of buttons of which one is pressed. */
export function choice<T extends string>(
  label: string,
  options: [T, string][],
  current: T,
  changed: (value: T) => void,
): HTMLElement & { select(value: T): void } {
  const buttons = options.map(([value, text]) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(value === current),
        "data-value": value,
        onclick: () => changed(value),
      },
      text,
    ),
  );
  const group = el("div", { class: "choice", role: "group", "aria-label": label }, ...buttons);
  return Object.assign(group, {
    select(value: T) {
      for (const button of buttons) {
        button.setAttribute("aria-pressed", String(button.dataset.value === value));
      }
    },
  });
}

/** A drop-down list; groups by the third entry of an option where there is one. */
export function menu(
  label: string,
  options: [value: string, text: string, group?: string][],
  current: string,
  changed: (value: string) => void,
): HTMLSelectElement {
  const select = el("select", { "aria-label": label });
  const groups = new Map<string, HTMLOptGroupElement>();
  for (const [value, text, group] of options) {
    const option = el("option", { value }, text);
    option.selected = value === current;
    if (!group) {
      select.append(option);
      continue;
    }
    let parent = groups.get(group);
    if (!parent) {
      parent = el("optgroup", { label: group });
      groups.set(group, parent);
      select.append(parent);
    }
    parent.append(option);
  }
  select.addEventListener("change", () => changed(select.value));
  return select;
}

export function toggle(
  text: string,
  on: boolean,
  changed: (on: boolean) => void,
): HTMLElement & {
  set(on: boolean): void;
} {
  const button = el(
    "button",
    { type: "button", class: "toggle", "aria-pressed": String(on) },
    text,
  );
  const set = (value: boolean) => button.setAttribute("aria-pressed", String(value));
  button.addEventListener("click", () => {
    const next = button.getAttribute("aria-pressed") !== "true";
    set(next);
    changed(next);
  });
  return Object.assign(button, { set });
}

export function reducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
