// The input of a replay: a range of stored runs that was requested, or the next part of an organization's runs every night.

import type { RunSelection } from '#assessment/skill-status/index.ts';
import type { JobRow } from '#core/long-jobs/index.ts';
import type { ImpactScope } from '../impact/input.ts';
import type { ReplayPosition, ReplayReport } from './position.ts';

export type ReplayScope = ImpactScope;

/** `through` is the newest run at the time of the request: later runs are not replayed. */
export interface RequestedReplay {
  readonly trigger: 'request';
  readonly scope: ReplayScope;
  /** ISO 8601: runs as of `from` or later, and before `to`. */
  readonly from: string;
  readonly to: string;
  readonly through: number;
}

/** At most `most` runs from the first one above `after`; after the newest run it continues with the first. */
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

/** A job in one organization; a job over the whole platform runs in one after the other. */
export type OrganizationReplay = ReplayJob & { readonly organizationId: string };

/** Runs of the job above the number `after`; `wrapped`: a night that has continued with the first run. */
export function selectionOf(
  { organizationId, input }: OrganizationReplay,
  after: number,
  wrapped: boolean,
): RunSelection {
  const { through } = input;
  if (input.trigger === 'nightly') return { organizationId, after, through: wrapped ? input.after : through };
  const { scope, from, to } = input;
  const within = 'schoolId' in scope || 'classId' in scope ? { within: scope } : {};
  return { organizationId, after, through, asOf: { from, to }, ...within };
}
