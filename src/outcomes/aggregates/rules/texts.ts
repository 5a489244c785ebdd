// Texts of bands as they appear in reports on students and on counts.
import type { TextSource } from '#rules/language/index.ts';
import { bandAudiences, bandDescriptions, bandDocuments } from './bands.ts';

export const bandTexts: TextSource = (bundle) =>
  bandAudiences
    .filter((audience) => bundle.versions[bandDocuments[audience]] !== undefined)
    .flatMap((audience) =>
      bandDescriptions(bundle, audience).flatMap(({ band, labelAr, descriptionAr }) => [
        { id: `${bandDocuments[audience]}/${band}/label`, tiers: ['ui', 'reports'] as const, template: labelAr },
        { id: `${bandDocuments[audience]}/${band}`, tiers: ['ui', 'reports'] as const, template: descriptionAr },
      ]),
    );
