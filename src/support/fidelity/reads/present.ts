// Responses of counts.
import type { Static } from 'typebox';
import type { FidelitySnapshot } from '../counting/store.ts';
import type { FidelityCount } from '../engine/count.ts';
import type { FidelityCheck, FidelityRecord } from './schemas.ts';

interface Presented {
  readonly assignmentId: string;
  readonly studentId: number;
  readonly asOf: string;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/** The document that decides the gate. */
const gateDocument = 'fidelity/gate';

export const presentCheck = (
  count: FidelityCount,
  { assignmentId, studentId, asOf, ruleVersions }: Presented,
): Static<typeof FidelityCheck> => ({
  ...{ bundleAssignmentId: assignmentId, studentId, ...presentCredit(count), ...presentAttendance(count) },
  ...{ threshold: count.threshold, gate: count.gate, trackStatus: count.trackStatus },
  ...{ completeWeeks: count.completeWeeks, asOf },
  ruleVersion: `${gateDocument}@${ruleVersions[gateDocument]}`,
});

export const presentRecord = (snapshot: FidelitySnapshot): Static<typeof FidelityRecord> => ({
  ...presentCheck(snapshot, snapshot),
  ...{ snapshotId: snapshot.id, computedAt: snapshot.computedAt },
  weeks: snapshot.weeks.map(({ weekStart, planned, delivered, credited, paused }) => ({
    ...{ weekStart, planned, delivered, credited, paused },
  })),
});

export const presentCredit = ({ planned, credited, rate }: Pick<FidelityCount, 'planned' | 'credited' | 'rate'>) => ({
  ...{ planned, credited, rate },
});

export const presentAttendance = ({ delivered, offered, absent }: FidelityCount) => ({ delivered, offered, absent });
