import { el } from "./dom";
import type { Theme } from "./palette";

const STORED = "weir-theme";

/** A button for light and dark. Follows the system until it is used. */
export function themeButton(changed: (theme: Theme) => void): HTMLButtonElement & { flip(): void } {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = stored();
  const current = (): Theme => chosen ?? (system.matches ? "dark" : "light");
  const button = el("button", { type: "button", class: "icon theme", onclick: () => flip() });
  const show = () => {
    const theme = current();
    document.documentElement.dataset.theme = theme;
    const other = theme === "dark" ? "light" : "dark";
    button.textContent = theme === "dark" ? "☀" : "☾";
    button.setAttribute("aria-label", `Switch to ${other} colours`);
    button.title = `Switch to ${other} colours (d)`;
    changed(theme);
  };
  const flip = () => {
    chosen = current() === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(STORED, chosen);
    } catch {
      // a page from disk may not be allowed to remember
    }
    show();
  };
  system.addEventListener("change", show);
  show();
  return Object.assign(button, { flip });
}

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(STORED);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}
