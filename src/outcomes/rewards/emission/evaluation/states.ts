// Sub-skill states that improved by a new session (51 §4.1). States that improved only because other rules raised
// statuses are no growth.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { type EvidenceOf, newMeasurement, type StoredYear } from '../../engine/growth/rises.ts';
import type { PossibleGrowth } from '../../ledger/record.ts';
import { storedYears, withSessions } from '../history.ts';
import type { Fact, GrowthSource } from './growth-source.ts';

interface StateRow {
  readonly id: number;
  readonly studentId: number;
  readonly subSkillCode: string;
  readonly state: string;
  readonly snapshotId: number;
  readonly schoolYear: string;
}

export const growthOfState: GrowthSource = async (trx, { organizationId, until }, facts) => {
  const rows = await statesOf(trx, organizationId, facts);
  const stored = await storedYears(trx, { organizationId, until, years: [...rows.values()] });
  const decided = [...rows.values()].filter((row) => isDecided(stored(row), row));
  const histories = await withSessions(trx, { organizationId, years: decided }, stored);
  const isKept = new Set(decided);
  return (fact) => {
    const row = rows.get(stateOf(fact));
    const session = row && isKept.has(row) ? newMeasurement(histories(row), row.snapshotId) : undefined;
    return row && session ? [growthOf(row, session)] : [];
  };
};

const stateOf = ({ payload }: Fact): number => Number(payload.skillStateId);

/** Keyed by id; missing rows and those that a correction of evidence moved are absent. */
async function statesOf(
  trx: Trx,
  organizationId: string,
  facts: readonly Fact[],
): Promise<ReadonlyMap<number, StateRow>> {
  const rows = await rowsOf<StateRow>(
    trx,
    `select s.id, s.student_id, s.sub_skill_code, s.state, s.snapshot_id, s.school_year from skill_state s
     where s.organization_id = :organizationId and s.id = any(:ids::bigint[])
       and not exists (select from sse_skill_snapshot n
         join sse_run r on r.organization_id = n.organization_id and r.school_year = n.school_year and r.id = n.run_id
         where n.organization_id = s.organization_id and n.school_year = s.school_year and n.id = s.snapshot_id
           and r.trigger = 'evidence_corrected')`,
    { organizationId, ids: facts.map(stateOf) },
    keptPlan,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns whether the newest status of the sub-skill is decided; otherwise there is no growth. */
function isDecided({ skills }: StoredYear, { subSkillCode }: StateRow): boolean {
  const newest = skills.findLast((row) => row.subSkillCode === subSkillCode);
  return newest !== undefined && newest.status !== null;
}

const growthOf = ({ id, subSkillCode, state, schoolYear }: StateRow, session: EvidenceOf): PossibleGrowth => ({
  ...{ sourceKind: 'subskill_state_up', naturalKey: `${subSkillCode}:${id}`, schoolYear },
  ...{ sourceType: 'skill_state', sourceId: String(id), reached: state, subSkillCode, domainCode: null },
  ...{ sessionKey: `${session.source}:${session.id}`, occurredAt: session.endedAt },
});
