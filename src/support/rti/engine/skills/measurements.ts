// Measurements of one sub-skill: sessions that were the newest evidence of at least one run.
import type { SkillStatus } from '#assessment/skill-status/engine/index.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';

/** The result of one run for a sub-skill. */
export interface SnapshotRow {
  readonly snapshotId: number;
  /** Null unless decided. */
  readonly status: SkillStatus | null;
  /** The newest session of the evidence. */
  readonly sessionId: string;
  /** ISO 8601. */
  readonly endedAt: string;
  /** Local date of `endedAt`. */
  readonly endedOn: string;
}

export interface Measurement {
  readonly sessionId: string;
  readonly endedAt: string;
  readonly endedOn: string;
  /** The status of the last run for which the session was the newest. */
  readonly status: SkillStatus;
  readonly snapshotId: number;
  /** Snapshots of all such runs, in order. */
  readonly snapshotIds: readonly number[];
}

/**
 * Adds a row to the measurements of a sub-skill, sorted by (endedAt, sessionId). Rows are added in the order of their runs.
 */
export function withRow(measurements: readonly Measurement[], row: SnapshotRow): readonly Measurement[] {
  const { status, sessionId, endedAt, endedOn, snapshotId } = row;
  if (status === null) return measurements;
  const known = measurements.find((one) => one.sessionId === sessionId);
  const measured = {
    ...{ sessionId, endedAt, endedOn, status, snapshotId },
    snapshotIds: [...(known?.snapshotIds ?? []), snapshotId],
  };
  return [...measurements.filter((one) => one !== known), measured].sort(byTime);
}

type Ended = Pick<Measurement, 'endedAt' | 'sessionId'>;
const byTime = (a: Ended, b: Ended): number => compare(a.endedAt, b.endedAt) || compare(a.sessionId, b.sessionId);
