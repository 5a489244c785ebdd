// Texts that must fit on one line of a narrow column, which only the thread can measure: the full text if it fits, else a short
// one. If two texts would be equal, both are printed in full, on as many lines as they need.
import type { Content } from 'pdfmake/interfaces.js';
import { arabic, type TextStyle } from './text.ts';

export interface Fitting {
  readonly full: string;
  readonly short: string;
  /** The width of the column, in points. */
  readonly width: number;
  readonly style: TextStyle & { readonly fontSize: number };
}

export const fitting = (text: Fitting): Content => ({ text: '', fitting: text }) as Content;

type WidthOf = (text: string, fontSize: number) => number;

/** Returns the content with every such text chosen. */
export function fitted<Node>(content: Node, widthOf: WidthOf): Node {
  const all = fittingsIn(content);
  if (all.length === 0) return content;
  const fits = ({ width, style }: Fitting, text: string) => widthOf(text, style.fontSize) <= width;
  const chosen = all.map((one) => (!fits(one, one.full) && fits(one, one.short) ? one.short : one.full));
  const uses = new Map<string, number>();
  for (const text of chosen) uses.set(text, (uses.get(text) ?? 0) + 1);
  const texts = all.map((one, at) => ((uses.get(chosen[at] ?? '') ?? 0) > 1 ? one.full : (chosen[at] ?? one.full)));
  let next = 0;
  const put = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(put);
    if (typeof node !== 'object' || node === null) return node;
    const own = fittingOf(node);
    if (own) return arabic(texts[next++] ?? own.full, own.style);
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, put(value)]));
  };
  return put(content) as Node;
}

const fittingOf = (node: object): Fitting | undefined => (node as { readonly fitting?: Fitting }).fitting;

/** Returns the texts in document order. */
function fittingsIn(node: unknown): Fitting[] {
  if (Array.isArray(node)) return node.flatMap(fittingsIn);
  if (typeof node !== 'object' || node === null) return [];
  const own = fittingOf(node);
  return own ? [own] : Object.values(node).flatMap(fittingsIn);
}
