// Every Arabic string of a document's sections, named by its place.
import { documentName, type RuleDocument } from '../../../rulesets/engine/index.ts';
import type { Tier } from '../rules.ts';
import type { ServedText } from './served-text.ts';

const arabic = /[\u0621-\u064a]{2}/;

/** `readersOf` tells by the place (`bundle/catalogue/bundles/BND-PHON-01/nameAr`) who reads a text; undefined: nobody. */
export function arabicTexts(
  { meta, ...sections }: RuleDocument,
  readersOf: (id: string) => readonly Tier[] | undefined,
): ServedText[] {
  const found: ServedText[] = [];
  const walk = (value: unknown, id: string): void => {
    if (typeof value === 'string') {
      const tiers = arabic.test(value) ? readersOf(id) : undefined;
      if (tiers) found.push({ id, tiers, template: value });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) walk(member, `${id}/${codeOf(member) ?? key}`);
    }
  };
  walk(sections, documentName({ meta }));
  return found;
}

const codes = ['code', 'scope', 'bundle_id', 'profileCode', 'window', 'suggestionCode'];

/** A row is named by its code: its number changes when another is put before it. */
function codeOf(member: unknown): string | undefined {
  if (typeof member !== 'object' || member === null) return undefined;
  const row = member as Readonly<Record<string, unknown>>;
  const parts = codes.map((code) => row[code]).filter((code) => typeof code === 'string');
  return parts.length === 0 ? undefined : parts.join(' ');
}
