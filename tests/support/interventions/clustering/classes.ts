// Generated classes for tests of groups, from a seed, with every bundle, group, tier and exclusion.
import type { ClassMember } from '#support/interventions/engine/clustering/partition.ts';
import { scaffoldTiers } from '#support/interventions/engine/vocabulary.ts';
import { engines } from '../runs.ts';

/** Numbers 0 to 1, the same for the same seed (Park and Miller 1988). */
export function numberStream(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export const memberOf = (studentId: number, more: Partial<ClassMember> = {}): ClassMember => ({
  studentId,
  acuteOpen: false,
  dndy: false,
  profileCode: 'DECODING_NEED',
  recommended_bundle_id: 'BND-DECODE-01',
  anchor_skill_group: 'DEC_BASIC',
  scaffold_tier: 'Level_3',
  compatible_delivery_mode: 'teacher_led_small_group',
  dataSufficiency: 'sufficient',
  nextRecommendedDataAction: null,
  openBundles: [],
  independentRate: null,
  ...more,
});

const bundles = engines.recommendation.catalogue.bundles.filter(({ state }) => state === 'active');
const groups = ['DEC_BASIC', 'LIS_ALL', 'NONE'];

export function generatedClass(seed: number, size: number): ClassMember[] {
  const next = numberStream(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  /** Few bundles, so that groups form. */
  const offered = [pick(bundles), pick(bundles), pick(bundles)];
  return Array.from({ length: size }, (_, at) => {
    const bundle = pick(offered);
    const blocked = { recommended_bundle_id: null, scaffold_tier: null, compatible_delivery_mode: null };
    const roll = next();
    return memberOf(1_000 + at * 7 + Math.floor(next() * 7), {
      recommended_bundle_id: bundle.bundle_id,
      anchor_skill_group: pick(groups),
      scaffold_tier: pick(scaffoldTiers),
      compatible_delivery_mode: bundle.deliveryModes.length > 0 ? pick(bundle.deliveryModes) : 'none',
      dataSufficiency: next() < 0.8 ? 'sufficient' : 'contextual',
      openBundles: next() < 0.3 ? [bundle.bundle_id] : [],
      independentRate: next() < 0.5 ? null : Math.floor(next() * 5) / 4,
      acuteOpen: next() < 0.1,
      ...(roll < 0.1 && { ...blocked, dndy: true, profileCode: 'DATA_INCOMPLETE' as const }),
      ...(roll >= 0.1 && roll < 0.15 && { ...blocked, profileCode: 'DATA_INCOMPLETE' as const }),
      ...(roll >= 0.15 && roll < 0.2 && blocked),
    });
  });
}

export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const next = numberStream(seed);
  return list
    .map((one) => ({ one, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}
