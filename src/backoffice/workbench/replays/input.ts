// What a replay is asked for: a range of stored runs by request, or the next part of an organization's runs every night.

import type { RunSelection } from '#assessment/skill-status/index.ts';
import type { JobRow } from '#core/long-jobs/index.ts';
import type { ImpactScope } from '../impact/input.ts';
import type { ReplayPosition, ReplayReport } from './position.ts';

export type ReplayScope = ImpactScope;

/** `through` is the newest run when it was asked for: runs that come later are not waited for. */
export interface RequestedReplay {
  readonly trigger: 'request';
  readonly scope: ReplayScope;
  /** Runs as of `from` or later, and before `to`; ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly through: number;
}

/** At most `most` runs from the first one above `after`, around the end of the line to the first one again. */
export interface NightlyReplay {
  readonly trigger: 'nightly';
  readonly after: number;
  readonly through: number;
  readonly most: number;
}

export type ReplayInput = RequestedReplay | NightlyReplay;
export const replayTriggers = ['request', 'nightly'] as const;
export type ReplayTrigger = (typeof replayTriggers)[number];

export type ReplayJob = JobRow<ReplayInput, ReplayPosition, ReplayReport>;

/** A job as it is worked at: in one organization after the other where it looks at the whole platform. */
export type PlacedReplay = ReplayJob & { readonly organizationId: string };

/** Runs of the job above the number `after`; `wrapped`: those that a night comes to when it starts again. */
export function selectionOf({ organizationId, input }: PlacedReplay, after: number, wrapped: boolean): RunSelection {
  const { through } = input;
  if (input.trigger === 'nightly') return { organizationId, after, through: wrapped ? input.after : through };
  const { scope, from, to } = input;
  const place = 'schoolId' in scope || 'classId' in scope ? { place: scope } : {};
  return { organizationId, after, through, asOf: { from, to }, ...place };
}
