// Texts of rewards: children and their families read badges and labels as adults do.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ServedText, StoredTexts, TextSource, Tier } from '#rules/language/index.ts';
import { type RewardsDocument, rewardsDocument } from './engine/rules.ts';

const tiers: readonly Tier[] = ['ui', 'student', 'parent_stricter'];

export const rewardTexts: TextSource = (bundle) => {
  if (bundle.versions[rewardsDocument] === undefined) return [];
  const { badges, framing } = bundle.values<RewardsDocument>(rewardsDocument);
  const ofBadges = badges.flatMap((badge) => wordsOf(rewardsDocument, badge));
  const ofFraming = Object.entries(framing).map(([name, template]) => ({
    id: `${rewardsDocument}/framing/${name}`,
    template,
  }));
  return [...ofBadges, ...ofFraming.map((one) => ({ ...one, tiers }))];
};

const wordsOf = (document: string, { code, nameAr, descriptionAr }: Worded): ServedText[] => [
  { id: `${document}/badges/${code}/nameAr`, tiers, template: nameAr },
  { id: `${document}/badges/${code}/descriptionAr`, tiers, template: descriptionAr },
];

interface Worded {
  readonly code: string;
  readonly nameAr: string;
  readonly descriptionAr: string;
}

interface PublishedBadge extends Worded {
  readonly version: number;
}

/** Reads the badges of all published versions. */
const publishedBadges = (trx: Trx): Promise<PublishedBadge[]> =>
  rowsOf(
    trx,
    `select v.version, b.badge ->> 'code' as code, b.badge ->> 'nameAr' as name_ar,
       b.badge ->> 'descriptionAr' as description_ar
     from rule_version v cross join lateral jsonb_array_elements(v.document::jsonb -> 'badges') with ordinality b (badge, place)
     where v.family || '/' || v.key = :rewardsDocument order by v.version, b.place`,
    { rewardsDocument },
  );

/** A student who holds a badge that is no longer awarded reads the texts of its version. */
export const retiredBadgeTexts: StoredTexts<PublishedBadge> = {
  name: 'retired-badges',
  read: publishedBadges,
  served: (published) => (bundle) => {
    if (bundle.versions[rewardsDocument] === undefined) return [];
    const awarded = new Set(bundle.values<RewardsDocument>(rewardsDocument).badges.map(({ code }) => code));
    return published
      .filter(({ code }) => !awarded.has(code))
      .flatMap((badge) => wordsOf(`${rewardsDocument}@${badge.version}`, badge));
  },
};
