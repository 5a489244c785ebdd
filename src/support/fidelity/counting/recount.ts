// The single writer of counts (contract 51 §5.2): appends a row when a value has changed, with its events. Other changes of the
// assignment that are due by the calendar are written first.

import { appendEvents, type NewEvent, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import {
  BundleAssignment,
  catchUp,
  type InterventionRules,
  isOpenAssignment,
  suggestion,
  versionsOf,
} from '../../interventions/index.ts';
import { fidelityDocuments } from '../engine/count.ts';
import { fidelityChanged } from '../events.ts';
import { type CountedAssignment, type CountedAssignmentRow, countedAssignments, countedColumns } from './facts.ts';
import {
  appendSnapshots,
  type CurrentFidelity,
  type FidelitySnapshot,
  type Newest,
  type NewSnapshot,
  newestSnapshots,
  saveCurrent,
  shownCountOf,
} from './store.ts';

export interface Recount {
  readonly organizationId: string;
  /** Assignments of the students. */
  readonly assignmentIds: readonly string[];
  readonly studentIds: readonly number[];
  /** Taken under the locks of the students' support. */
  readonly now: Date;
}

/** The newest count of each assignment, by id. Locks the support of the students. */
export async function recount(
  trx: Trx,
  { organizationId, assignmentIds, studentIds, now }: Recount,
  rules: InterventionRules,
): Promise<ReadonlyMap<string, FidelitySnapshot>> {
  await catchUp(trx, { organizationId, studentIds, now }, rules);
  const rows = await rowsById(trx, organizationId, assignmentIds);
  const counted = await countedAssignments(trx, rows, now, rules);
  const newest = await newestSnapshots(trx, organizationId, assignmentIds);
  const changed = counted.filter((plan) => hasChanged(plan, newest.get(plan.row.id)));
  const appended = await appendSnapshots(
    trx,
    changed.map((plan) => newSnapshot(plan, now, rules)),
  );
  const stored = new Map([...newest].map(([id, { snapshot }]) => [id, snapshot]));
  for (const snapshot of appended) stored.set(snapshot.assignmentId, snapshot);
  await follow(trx, counted, { newest, stored, rules, now });
  return stored;
}

/** The rows for which something would be written. */
export async function outdated(
  trx: Trx,
  rows: readonly CountedAssignmentRow[],
  now: Date,
  rules: InterventionRules,
): Promise<CountedAssignmentRow[]> {
  const counted = await countedAssignments(trx, rows, now, rules);
  const newest = await newestSnapshots(
    trx,
    rows[0]?.organizationId ?? '',
    rows.map(({ id }) => id),
  );
  const isOutdated = (plan: CountedAssignment) => {
    const before = newest.get(plan.row.id);
    return (
      hasChanged(plan, before) ||
      before?.open !== isOpenAssignment(plan.row) ||
      before?.lowTold !== isLowTold(plan, before, rules)
    );
  };
  return counted.filter(isOutdated).map(({ row }) => row);
}

const rowsById = (trx: Trx, organizationId: string, ids: readonly string[]) =>
  BundleAssignment.query(trx)
    .where({ organizationId })
    .whereIn('id', [...ids])
    .select(...countedColumns)
    .orderBy(['studentId', 'activatedAt', 'id']);

const hasChanged = ({ count }: CountedAssignment, before: Newest | undefined): boolean =>
  !before || !isSameJson(shownCountOf(before.snapshot), shownCountOf(count));

const newSnapshot = ({ row, facts, count }: CountedAssignment, now: Date, rules: InterventionRules): NewSnapshot => ({
  ...{ organizationId: row.organizationId, schoolYear: row.schoolYear, assignmentId: row.id, studentId: row.studentId },
  ...shownCountOf(count),
  ...{ ruleId: count.ruleId, asOf: facts.asOf, facts },
  ruleVersions: versionsOf(rules, fidelityDocuments),
  computedAt: now.toISOString(),
});

/**
 * True once for each period below the gate, as soon as enough weeks are complete; an ended assignment can no longer be
 * changed.
 */
function isLowTold(
  { row, count }: CountedAssignment,
  before: Newest | undefined,
  { fidelity }: InterventionRules,
): boolean {
  if (count.gate !== 'fail') return false;
  const goesOn = before?.snapshot.gate === 'fail' && before.lowTold;
  return goesOn || (isOpenAssignment(row) && count.completeWeeks >= fidelity.lowWeeks);
}

interface Known {
  readonly newest: ReadonlyMap<string, Newest>;
  readonly stored: ReadonlyMap<string, FidelitySnapshot>;
  readonly rules: InterventionRules;
  readonly now: Date;
}

async function follow(trx: Trx, counted: readonly CountedAssignment[], known: Known): Promise<void> {
  const { newest, stored, rules, now } = known;
  const after = counted.flatMap((plan) => {
    const snapshot = stored.get(plan.row.id);
    return snapshot ? [{ row: plan.row, snapshot, current: currentOf(plan, snapshot, newest, rules) }] : [];
  });
  const changed = after.filter(({ row, current }) => !isSameJson(current, storedCurrent(row, newest.get(row.id))));
  await saveCurrent(
    trx,
    changed.map(({ current }) => current),
  );
  const events = changed.flatMap(({ row, snapshot, current }): NewEvent[] => {
    const before = newest.get(row.id);
    return [
      ...(current.lowTold && !before?.lowTold ? [suggestion(row, 'low_fidelity')] : []),
      ...(snapshot.id === before?.snapshot.id ? [] : [fidelityEvent(snapshot)]),
    ];
  });
  await appendEvents(trx, now, events);
}

export const fidelityEvent = ({ organizationId, studentId, assignmentId, gate }: FidelitySnapshot): NewEvent =>
  newEvent(fidelityChanged, organizationId, { studentId, assignmentId, gate });

function currentOf(
  plan: CountedAssignment,
  snapshot: FidelitySnapshot,
  newest: ReadonlyMap<string, Newest>,
  rules: InterventionRules,
): CurrentFidelity {
  const lowTold = isLowTold(plan, newest.get(plan.row.id), rules);
  return currentWith(plan.row, { snapshot, open: isOpenAssignment(plan.row), lowTold });
}

const currentWith = (row: CountedAssignmentRow, { snapshot, open, lowTold }: Newest): CurrentFidelity => ({
  ...{ organizationId: row.organizationId, assignmentId: row.id, studentId: row.studentId, snapshotId: snapshot.id },
  ...{ open, gate: snapshot.gate, planned: snapshot.planned, credited: snapshot.credited, rate: snapshot.rate },
  ...{ completeWeeks: snapshot.completeWeeks, lowTold },
});

const storedCurrent = (row: CountedAssignmentRow, before: Newest | undefined): CurrentFidelity | undefined =>
  before && currentWith(row, before);
