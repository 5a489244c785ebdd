// The constants that a text gives other values than its base.
import type { RuleDocument } from '#rules/rulesets/engine/index.ts';

interface ConstantChange {
  readonly id: string;
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

/** Returns them by id. Reads JSON that may hold anything, because a text is stored before it is checked. */
export function changedConstants(base: RuleDocument | null, text: object): ConstantChange[] {
  const [was, is] = [valuesIn(base ?? {}), valuesIn(text)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort()
    .map((id) => ({ id, before: was.get(id) ?? null, after: is.get(id) ?? null }))
    .filter(({ before, after }) => before !== after);
}

/** The longest text of a constant that is shown. */
const shownCharacters = 200;

function valuesIn(document: object): ReadonlyMap<string, string | number | boolean> {
  const { constants } = document as { readonly constants?: unknown };
  if (typeof constants !== 'object' || constants === null || Array.isArray(constants)) return new Map();
  const values = new Map<string, string | number | boolean>();
  for (const [id, constant] of Object.entries(constants)) {
    const value: unknown = constant?.value;
    if (typeof value === 'string') values.set(id, value.slice(0, shownCharacters));
    if (typeof value === 'number' || typeof value === 'boolean') values.set(id, value);
  }
  return values;
}
