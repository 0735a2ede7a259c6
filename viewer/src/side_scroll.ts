import { el } from "./dom";

/** A box that scrolls; what is wider than it says so, and where there is more. */
export class SideScroll {
  readonly element: HTMLElement;
  private readonly box: HTMLElement;
  private readonly further = el(
    "button",
    {
      type: "button",
      class: "further",
      title: "Scroll to the columns on the right",
      hidden: true,
      "aria-label": "Scroll to the columns on the right",
      onclick: () => this.box.scrollBy({ left: 0.7 * this.box.clientWidth }),
    },
    "",
  );

  constructor(label: string, content: HTMLElement) {
    this.box = el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
      content,
    );
    this.element = el("div", { class: "side-scroll" }, this.box, this.further);
    this.box.addEventListener("scroll", () => this.update(), { passive: true });
    new ResizeObserver(() => this.update()).observe(this.box);
    new ResizeObserver(() => this.update()).observe(content);
  }

  update(): void {
    const { scrollLeft, clientWidth, scrollWidth } = this.box;
    const right = scrollWidth - clientWidth - scrollLeft > 2;
    this.element.classList.toggle("more-left", scrollLeft > 2);
    this.element.classList.toggle("more-right", right);
    this.element.style.setProperty("--tall", `${this.box.clientHeight}px`);
    this.further.hidden = !right;
    if (!right) return;
    const edge = this.box.getBoundingClientRect().right;
    const hidden = [...this.box.querySelectorAll("thead th")].filter(
      (one) => one.getBoundingClientRect().right > edge + 2,
    ).length;
    this.further.textContent = `${hidden} more →`;
    this.further.setAttribute("aria-label", `Scroll to ${hidden} more columns on the right`);
  }
}
