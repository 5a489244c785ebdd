// Hints that a child reads while practising.
import type { TextSource } from '../language/index.ts';
import type { TableDocument } from '../rulesets/index.ts';
import { documentName } from '../rulesets/index.ts';

const hintKey = 'subflag.hint.';

export const hintTexts: TextSource = ({ documents }) => {
  const table = documents.find((one) => documentName(one) === 'subflag/subflag') as TableDocument | undefined;
  return Object.entries(table?.messages ?? {})
    .filter(([key]) => key.startsWith(hintKey))
    .map(([key, { ar }]) => ({ id: `subflag/subflag/${key} for a child`, tiers: ['student'], template: ar }));
};
