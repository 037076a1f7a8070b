// Makes elements. Text goes in as text nodes alone, so nothing from a memory ever becomes markup.

export type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

function filled<E extends Element>(element: E, props: Record<string, Value>, children: Child[]): E {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** An element of the page. */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  props: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  return filled(document.createElement(tag), props, children);
}

/** An element of a drawing. */
export function s(tag: string, props: Record<string, Value> = {}, ...children: Child[]): SVGElement {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}
