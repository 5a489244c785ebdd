// Lines and spaces of a table, as a value: what is printed crosses over to a thread, and a function cannot. The library asks for
// functions; they are made where the pages are laid out.
import type { CustomTableLayout, TableLayout } from 'pdfmake/interfaces.js';

/** In points, the same for all rows and columns. What is left out is as the library has it. */
export interface Ruled {
  readonly hLineWidth?: number;
  readonly vLineWidth?: number;
  readonly hLineColor?: string;
  readonly vLineColor?: string;
  readonly hLineStyle?: { readonly dash: { readonly length: number } };
  readonly paddingTop?: number;
  readonly paddingBottom?: number;
  readonly paddingLeft?: number;
  readonly paddingRight?: number;
}

export const ruled = (layout: Ruled): TableLayout => layout as unknown as TableLayout;

/** The same content, every layout of a table in it as the library wants it. */
export function drawnLayouts<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(drawnLayouts) as Node;
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, isLayout(name, value) ? drawn(value) : drawnLayouts(value)]),
  ) as Node;
}

const isLayout = (name: string, value: unknown): value is Ruled => name === 'layout' && typeof value === 'object';

const drawn = (layout: Ruled): CustomTableLayout =>
  Object.fromEntries(Object.entries(layout).map(([name, value]) => [name, () => value]));
