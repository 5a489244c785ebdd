// The input of an impact job: everything that its report depends on besides the stored evidence, so that a later edit of the
// change, or another activation, does not affect a job that was started before.

import type { JobRow } from '#core/long-jobs/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import type { ImpactPosition } from './engine/position.ts';

export type ImpactScope =
  | { readonly organizationId: string }
  | { readonly schoolId: string }
  | { readonly classId: number }
  /** Every organization but demos. */
  | { readonly platform: true };

export interface ImpactInput {
  readonly changeId: string;
  readonly changeSha256: string;
  readonly documents: readonly SimulatedDocument[];
  readonly scope: ImpactScope;
  /** ISO 8601: evidence and runs up to this instant. */
  readonly asOf: string;
  /** The versions in force when the job was requested. */
  readonly before: Versions;
  /** Texts that replace documents of `before`. */
  readonly texts: readonly string[];
}

/** A document of the change, with the hash of its text. */
export interface SimulatedDocument {
  readonly family: string;
  readonly key: string;
  readonly sha256: string;
}

export type ImpactJob = JobRow<ImpactInput, ImpactPosition>;

/** A job in one organization; a job over the whole platform runs in one after the other. */
export type OrganizationJob = ImpactJob & { readonly organizationId: string };

export const jobIn = (job: ImpactJob, organizationId: string): OrganizationJob => ({ ...job, organizationId });
