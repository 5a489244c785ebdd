// Served texts of the short test, whose visitors are mostly parents.
import type { ServedText, TextSource } from '#rules/language/engine/index.ts';
import { readTeaserValues } from './values.ts';

export const teaserTexts: TextSource = (bundle): readonly ServedText[] => {
  if (bundle.versions['scoring/measurement'] === undefined) return [];
  const { labelPrefixAr, disclaimerAr, bands } = readTeaserValues(bundle);
  const text = (id: string, template: string): ServedText => ({
    id: `scoring/measurement/teaser/${id}`,
    tiers: ['parent_stricter'],
    template,
  });
  return [
    text('disclaimer', disclaimerAr),
    ...bands.flatMap(({ band, labelAr, descriptionAr }) => [
      text(`${band}/label`, labelPrefixAr + labelAr),
      text(`${band}/description`, descriptionAr),
    ]),
  ];
};
