// The words of an impact report.
import { layerNames } from '../../../skill-status/index.ts';

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
