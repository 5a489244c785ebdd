// What an impact job is asked: everything that its report depends on besides the stored evidence, so that an edit of the
// draft, or another activation, changes nothing of a job that was started before.

import type { JobRow } from '#core/long-jobs/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { CompanionName } from '../companions.ts';
import type { ImpactPosition } from './engine/position.ts';

export type ImpactScope =
  | { readonly organizationId: string }
  | { readonly schoolId: string }
  | { readonly classId: number }
  /** Every organization but demos. */
  | { readonly platform: true };

export interface ImpactInput {
  readonly draftId: string;
  readonly sha256: string;
  readonly scope: ImpactScope;
  /** ISO 8601: evidence and runs up to here. */
  readonly asOf: string;
  /** The bundle in force when the job was asked for. */
  readonly before: Versions;
  /** Texts that take the place of its versions: the draft's, then its companions'. */
  readonly texts: readonly string[];
  readonly companions: readonly CompanionName[];
}

export type ImpactJob = JobRow<ImpactInput, ImpactPosition>;

/** A job as it is worked at: in one organization after the other where it looks at the whole platform. */
export type PlacedJob = ImpactJob & { readonly organizationId: string };

export const placedIn = (job: ImpactJob, organizationId: string): PlacedJob => ({ ...job, organizationId });
