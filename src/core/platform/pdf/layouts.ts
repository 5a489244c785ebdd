// Lines and paddings of a table as a value, since functions cannot be sent to a thread. The library requires functions, which
// are created where the pages are laid out.
import type { CustomTableLayout, TableLayout } from 'pdfmake/interfaces.js';

/** Sizes in points, the same for all rows and columns. Omitted ones have the library's defaults. */
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

/** Returns the content with the layouts of its tables as functions. */
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
