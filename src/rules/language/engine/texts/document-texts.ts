// Lists every Arabic string in a document's sections with its path.
import { documentName, type RuleDocument } from '../../../rulesets/engine/index.ts';
import type { Tier } from '../rules.ts';
import type { ServedText } from './served-text.ts';

const arabic = /[\u0621-\u064a]{2}/;

/**
 * `readersOf` returns the readers of a text by its path (`bundle/catalogue/bundles/BND-PHON-01/nameAr`); undefined when
 * there are none.
 */
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

/** A row is identified by its code, since its index changes when another is inserted before it. */
function codeOf(member: unknown): string | undefined {
  if (typeof member !== 'object' || member === null) return undefined;
  const row = member as Readonly<Record<string, unknown>>;
  const parts = codes.map((code) => row[code]).filter((code) => typeof code === 'string');
  return parts.length === 0 ? undefined : parts.join(' ');
}
