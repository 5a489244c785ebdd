// The newest shipped language sets, for tests.
import fs from 'node:fs';
import type { LanguageCase } from '#rules/language/engine/check-set.ts';
import { checks } from '#rules/language/engine/check-set.ts';
import type { LanguageRule } from '#rules/language/engine/rules.ts';

export const setKeys = ['staff', 'family', 'student'] as const;
export type SetKey = (typeof setKeys)[number];

const read = (file: string): unknown => JSON.parse(fs.readFileSync(`rules/language/${file}`, 'utf8'));

export const shippedRules = (key: SetKey): readonly LanguageRule[] =>
  (read(`${key}/2.json`) as { entries: readonly LanguageRule[] }).entries;
export const shippedCases = (key: SetKey): readonly LanguageCase[] =>
  (read(`${key}/2.golden.json`) as { cases: readonly LanguageCase[] }).cases;
export const shippedCheck = (key: SetKey) => checks(shippedRules(key));

/** A rule that blocks for parents. */
export const blocking = (id: string, match: LanguageRule['match'], more: Partial<LanguageRule> = {}): LanguageRule => ({
  ...{ id, tiers: ['parent'], match, action: 'block', reasonCode: 'deficit_label' },
  ...more,
});
