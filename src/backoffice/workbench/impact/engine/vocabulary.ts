// The words of an impact report.
import { layerNames } from '#assessment/skill-status/engine/index.ts';

/** Where a draft is about rewards: credits by event, badges, tiers and runs of days by student. */
export const rewardLayers = ['XP', 'BADGE', 'AVATAR_TIER', 'STREAK'] as const;
/** Likewise of a kind of notification, by request. */
export const noticeLayers = ['NOTIFICATION'] as const;
export const toldLayers = [...rewardLayers, ...noticeLayers] as const;

/** How far back what was recorded is looked at, in days. */
export const simulatedDays = 28;

/** The layers of the pipeline, and what stands beside and behind it where that is what changes. */
export const reportLayers = [
  ...layerNames,
  'RBM',
  'SUBFLAG',
  'PROFILE',
  'BUNDLE',
  'FIDELITY',
  'SKILL_STATE',
  'ALERT',
  'TIER',
  ...toldLayers,
] as const;
export type ReportLayer = (typeof reportLayers)[number];

/** `same`: nothing changes; `lateral`: one of the two says neither better nor worse. */
export const directions = ['better', 'worse', 'lateral', 'same'] as const;
export type Direction = (typeof directions)[number];

/** The answer of a layer that was not asked about a subject. */
export const notAsked = 'not_asked';
/** A flag that is not raised. */
export const notRaised = 'none';

export const exemplarsOfTransition = 10;
