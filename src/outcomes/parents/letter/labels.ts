// Labels of letters that are not in `growth-trend/tile`.
import type { TextSource } from '#rules/language/index.ts';
import { familyTier } from '../render-for-family.ts';

export const letterLabels = { confidential: 'سري', teacher: 'المعلم أو المعلمة' } as const;

export const letterTexts: TextSource = () =>
  Object.entries(letterLabels).map(([name, template]) => ({
    ...{ id: `parents/letter/${name}`, tiers: [familyTier], template },
  }));
