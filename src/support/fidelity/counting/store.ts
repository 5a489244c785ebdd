// Stored counts of assignments: the log of changed counts, and the newest one of each.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { FidelityGate } from '../../interventions/index.ts';
import type { FidelityCount, FidelityFacts } from '../engine/count.ts';

export interface NewSnapshot extends FidelityCount {
  readonly organizationId: string;
  /** The school year of the assignment. */
  readonly schoolYear: string;
  readonly assignmentId: string;
  readonly studentId: number;
  /** Local date. */
  readonly asOf: string;
  readonly facts: FidelityFacts;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly computedAt: string;
}

export interface FidelitySnapshot extends NewSnapshot {
  readonly id: number;
}

export const StoredFidelitySnapshot = modelOf<FidelitySnapshot>('fidelity_snapshot', {
  id: ['organizationId', 'id', 'schoolYear'],
});

/** The shown fields of a count; a change of its day or of rule versions alone makes no new row. */
export const shownCountOf = (count: FidelityCount) => ({
  ...{ planned: count.planned, delivered: count.delivered, credited: count.credited, rate: count.rate },
  ...{ offered: count.offered, absent: count.absent, threshold: count.threshold, gate: count.gate },
  ...{ trackStatus: count.trackStatus, completeWeeks: count.completeWeeks, weeks: count.weeks },
});

/** The newest count of an assignment, for the list of low delivery, with the state of its report. */
export interface CurrentFidelity {
  readonly organizationId: string;
  readonly assignmentId: string;
  readonly studentId: number;
  readonly snapshotId: number;
  readonly open: boolean;
  readonly gate: FidelityGate;
  readonly planned: number;
  readonly credited: number;
  readonly rate: number | null;
  readonly completeWeeks: number;
  /** Whether the present period below the gate was reported. */
  readonly lowTold: boolean;
}

export const CurrentFidelityCount = modelOf<CurrentFidelity>('fidelity_current', {
  id: ['organizationId', 'assignmentId'],
});

export interface Newest {
  readonly snapshot: FidelitySnapshot;
  readonly open: boolean;
  readonly lowTold: boolean;
}

type NewestRow = FidelitySnapshot & { readonly open: boolean; readonly lowTold: boolean };

/** By id of the assignment. */
export async function newestSnapshots(
  trx: Trx,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<ReadonlyMap<string, Newest>> {
  const rows = await rowsOf<NewestRow>(
    trx,
    `select s.*, c.open, c.low_told from fidelity_current c
     join fidelity_snapshot s on s.organization_id = c.organization_id and s.id = c.snapshot_id
     where c.organization_id = :organizationId and c.assignment_id = any(:assignmentIds::text[])`,
    { organizationId, assignmentIds: [...assignmentIds] },
  );
  return new Map(
    rows.map(({ open, lowTold, ...snapshot }) => [snapshot.assignmentId, { snapshot, open, lowTold }] as const),
  );
}

export async function appendSnapshots(trx: Trx, rows: readonly NewSnapshot[]): Promise<FidelitySnapshot[]> {
  const ids = await insertRows<{ id: number }>(trx, 'fidelity_snapshot', rows, ['id']);
  return rows.map((row, at) => ({ ...row, id: Number(ids[at]?.id) }));
}

const changing = ['snapshot_id', 'open', 'gate', 'planned', 'credited', 'rate', 'complete_weeks', 'low_told'];

export async function saveCurrent(trx: Trx, rows: readonly CurrentFidelity[]): Promise<void> {
  if (rows.length === 0) return;
  await CurrentFidelityCount.query(trx)
    .insert([...rows])
    .onConflict(['organizationId', 'assignmentId'])
    .merge(changing);
}
