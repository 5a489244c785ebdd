// States of sub-skills that have become better (51 §4.1), where a new session has led to them: statuses that other rules have
// lifted lift the state with them, and that is no growth.
import { rowsOf } from '../../../platform/sql.ts';
import { newMeasurement } from '../../engine/growth/rises.ts';
import { storedYear, withSessions } from '../history.ts';
import type { Judge } from './judging.ts';

interface StateRow {
  readonly id: number;
  readonly subSkillCode: string;
  readonly state: string;
  readonly snapshotId: number;
  readonly schoolYear: string;
}

export const growthOfState: Judge = async (trx, { organizationId, studentId, until }, { payload }) => {
  const [row] = await rowsOf<StateRow>(
    trx,
    `select s.id, s.sub_skill_code, s.state, s.snapshot_id, s.school_year from skill_state s
     where s.organization_id = :organizationId and s.id = :id`,
    { organizationId, id: Number(payload.skillStateId) },
  );
  if (!row) return [];
  const of = { organizationId, studentId, schoolYear: row.schoolYear, until };
  const stored = await storedYear(trx, of);
  const newest = stored.skills.findLast(({ subSkillCode }) => subSkillCode === row.subSkillCode);
  if (newest === undefined || newest.status === null) return [];
  const session = newMeasurement(await withSessions(trx, of, stored), row.snapshotId);
  if (!session) return [];
  return [
    {
      ...{ sourceKind: 'subskill_state_up', naturalKey: `${row.subSkillCode}:${row.id}`, schoolYear: row.schoolYear },
      ...{ sourceType: 'skill_state', sourceId: String(row.id), reached: row.state },
      ...{ subSkillCode: row.subSkillCode, domainCode: null },
      ...{ sessionKey: `${session.source}:${session.id}`, occurredAt: session.endedAt },
    },
  ];
};
