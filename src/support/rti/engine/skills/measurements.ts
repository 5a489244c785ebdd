// The measurements of one sub-skill: sessions that were the newest evidence of at least one judgement.
import type { SkillStatus } from '#assessment/skill-status/engine/index.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';

/** What one run said of a sub-skill. */
export interface JudgedRow {
  readonly snapshotId: number;
  /** Null unless decided. */
  readonly status: SkillStatus | null;
  /** The newest session of the evidence. */
  readonly sessionId: string;
  /** ISO 8601. */
  readonly endedAt: string;
  /** Local date of the same. */
  readonly endedOn: string;
}

export interface Measurement {
  readonly sessionId: string;
  readonly endedAt: string;
  readonly endedOn: string;
  /** That of the last run that judged the session as the newest. */
  readonly status: SkillStatus;
  readonly snapshotId: number;
  /** Of all such runs, in order. */
  readonly snapshotIds: readonly number[];
}

/** Measurements of one sub-skill, by (endedAt, sessionId), after one more row; rows come in the order of their runs. */
export function withRow(measurements: readonly Measurement[], row: JudgedRow): readonly Measurement[] {
  const { status, sessionId, endedAt, endedOn, snapshotId } = row;
  if (status === null) return measurements;
  const known = measurements.find((one) => one.sessionId === sessionId);
  const judged = {
    ...{ sessionId, endedAt, endedOn, status, snapshotId },
    snapshotIds: [...(known?.snapshotIds ?? []), snapshotId],
  };
  return [...measurements.filter((one) => one !== known), judged].sort(byTime);
}

type Ended = Pick<Measurement, 'endedAt' | 'sessionId'>;
const byTime = (a: Ended, b: Ended): number => compare(a.endedAt, b.endedAt) || compare(a.sessionId, b.sessionId);
