// Served texts: the hints that a child reads in practice.
import type { TextSource } from '#rules/language/index.ts';
import type { TableDocument } from '#rules/rulesets/index.ts';
import { documentName } from '#rules/rulesets/index.ts';

const hintKey = 'subflag.hint.';

export const hintTexts: TextSource = ({ documents }) => {
  const table = documents.find((one) => documentName(one) === 'subflag/subflag') as TableDocument | undefined;
  return Object.entries(table?.messages ?? {})
    .filter(([key]) => key.startsWith(hintKey))
    .map(([key, { ar }]) => ({ id: `subflag/subflag/${key} for a child`, tiers: ['student'], template: ar }));
};
