// Texts of `growth-trend/tile` for families.
import type { TextSource } from '#rules/language/index.ts';
import { documentName, type TableDocument } from '#rules/rulesets/index.ts';
import { growthDocument } from './engine/growth.ts';
import { familyTier } from './render-for-family.ts';

export const growthTexts: TextSource = ({ documents }) => {
  const table = documents.find((one) => documentName(one) === growthDocument) as TableDocument | undefined;
  return Object.entries(table?.messages ?? {}).map(([key, { ar }]) => ({
    id: `${growthDocument}/${key} for a family`,
    tiers: [familyTier],
    template: ar,
    variables: { firstNameAr: 'person' },
  }));
};
