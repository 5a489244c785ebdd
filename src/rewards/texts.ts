// What rewards say, and to whom: children and their families read badges and labels as adults do.
import type { TextSource, Tier } from '../language/index.ts';
import { type RewardsDocument, rewardsDocument } from './engine/rules.ts';

const tiers: readonly Tier[] = ['ui', 'student', 'parent_stricter'];

export const rewardTexts: TextSource = (bundle) => {
  if (bundle.versions[rewardsDocument] === undefined) return [];
  const { badges, framing } = bundle.values<RewardsDocument>(rewardsDocument);
  const ofBadges = badges.flatMap(({ code, nameAr, descriptionAr }) => [
    { id: `${rewardsDocument}/badges/${code}/nameAr`, template: nameAr },
    { id: `${rewardsDocument}/badges/${code}/descriptionAr`, template: descriptionAr },
  ]);
  const ofFraming = Object.entries(framing).map(([name, template]) => ({
    id: `${rewardsDocument}/framing/${name}`,
    template,
  }));
  return [...ofBadges, ...ofFraming].map((one) => ({ ...one, tiers }));
};
