// The port of impact simulations: which states rules would have led a student's sub-skills to, from the first run on. Nothing
// here writes.

import type { Trx } from '#core/platform/db.ts';
import { enrollmentContexts } from '../../interventions/index.ts';
import { byStudent } from '../by-student.ts';
import type { RtiRules } from '../engine/compiled.ts';
import type { LayerAAnswer } from '../engine/skills/layer-a.ts';
import { foldSkills } from '../skill-states/fold.ts';
import { foldingOf } from '../skill-states/follow.ts';
import { type StatusSnapshot, snapshotsAfter, type TrendAt, trendsOf } from '../skill-states/snapshots.ts';

export interface StateParts {
  /** In the order of the runs. */
  readonly snapshots: readonly StatusSnapshot[];
  readonly trendAt: TrendAt;
  readonly timeZone: string;
}

/** Returns the states of living students who were measured by then, by id. */
export async function stateParts(
  trx: Trx,
  {
    organizationId,
    studentIds,
    asOf,
  }: Record<'organizationId' | 'asOf', string> & { readonly studentIds: readonly number[] },
): Promise<ReadonlyMap<number, StateParts>> {
  const enrollments = await enrollmentContexts(trx, organizationId, studentIds);
  const ids = enrollments.map(({ studentId }) => studentId);
  const all = await snapshotsAfter(
    trx,
    organizationId,
    ids.map((studentId) => ({ studentId, after: 0 })),
  );
  const snapshots = byStudent(all.filter(({ decidedAt }) => decidedAt <= asOf));
  const trendAt = await trendsOf(trx, organizationId, ids);
  return new Map(
    enrollments.flatMap(({ studentId, timeZone }): [number, StateParts][] => {
      const own = snapshots.get(studentId);
      return own ? [[studentId, { snapshots: own, trendAt, timeZone }]] : [];
    }),
  );
}

/** Returns by sub-skill the answer of layer A for the newest snapshot. */
export const statesFrom = (
  { snapshots, trendAt, timeZone }: StateParts,
  { rti }: { readonly rti: RtiRules },
): ReadonlyMap<string, LayerAAnswer> =>
  foldSkills(snapshots, () => ({ state: null, measurements: [] }), foldingOf(rti, trendAt, timeZone)).answers;
