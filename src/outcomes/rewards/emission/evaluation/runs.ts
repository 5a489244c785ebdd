// Statuses that rose in a run: sub-skills first, in catalogue order, then domains.

import type { StudentYear } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { DomainNode } from '#rules/catalogue/index.ts';
import { domainRise, mayRise, type Rise, skillRise, type YearHistory } from '../../engine/growth/rises.ts';
import type { PossibleGrowth } from '../../ledger/record.ts';
import { storedYears, withSessions } from '../history.ts';
import type { Fact, GrowthSource } from './growth-source.ts';

export const growthOfRun: GrowthSource = async (trx, { organizationId, catalogue, until }, facts) => {
  const schoolYears = await yearsOfRuns(trx, organizationId, facts);
  const runs = new Map<Fact, Run>(
    facts.flatMap((fact) => {
      const runId = runOf(fact);
      const schoolYear = schoolYears.get(runId);
      return schoolYear === undefined ? [] : [[fact, { studentId: fact.studentId, schoolYear, runId }] as const];
    }),
  );
  const stored = await storedYears(trx, { organizationId, until, years: [...runs.values()] });
  const risen = [...runs.values()].filter((run) => mayRise(stored(run), run.runId));
  const histories = await withSessions(trx, { organizationId, years: risen }, stored);
  const hasRisen = new Set(risen);
  return (fact) => {
    const run = runs.get(fact);
    if (!run || !hasRisen.has(run)) return [];
    const history = histories(run);
    return [
      ...catalogue.subSkills.flatMap(({ code }) => skillGrowth(run, history, code)),
      ...catalogue.domains.flatMap((domain) => domainGrowth(run, history, domain)),
    ];
  };
};

interface Run extends StudentYear {
  readonly runId: string;
}

const runOf = ({ payload }: Fact): string => String(payload.runId);

/** Keyed by run; missing runs and those after a correction of evidence, which are no growth, are absent. */
async function yearsOfRuns(
  trx: Trx,
  organizationId: string,
  facts: readonly Fact[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf<{ id: string; schoolYear: string }>(
    trx,
    `select r.id, r.school_year from sse_run r
     where r.organization_id = :organizationId and r.id = any(:runIds::text[]) and r.trigger <> 'evidence_corrected'`,
    { organizationId, runIds: facts.map(runOf) },
    keptPlan,
  );
  return new Map(rows.map(({ id, schoolYear }) => [id, schoolYear]));
}

function skillGrowth(run: Run, history: YearHistory, code: string): PossibleGrowth[] {
  const own = history.skills.filter(({ subSkillCode }) => subSkillCode === code);
  const row = own.find((one) => one.runId === run.runId);
  const rise = row && own.at(-1)?.status !== null ? skillRise(history, row.id) : undefined;
  if (!rise) return [];
  const kind = { sourceKind: 'skill_status_transition', sourceType: 'skill_snapshot' } as const;
  return [{ ...kind, ...growthOf(run, rise, code), subSkillCode: code, domainCode: null }];
}

/** Returns no growth for a sub-skill or domain whose newest status is undecided. */
function domainGrowth(run: Run, history: YearHistory, { code, subSkills }: DomainNode): PossibleGrowth[] {
  const own = history.domains.filter(({ domainCode }) => domainCode === code);
  const row = own.find((one) => one.runId === run.runId);
  const codes = new Set(subSkills.map((subSkill) => subSkill.code));
  const rise = row && own.at(-1)?.status !== null ? domainRise(history, row.id, codes) : undefined;
  if (!rise) return [];
  const kind = { sourceKind: 'domain_status_escalation', sourceType: 'domain_snapshot' } as const;
  return [{ ...kind, ...growthOf(run, rise, code), subSkillCode: null, domainCode: code }];
}

const growthOf = ({ schoolYear }: Run, rise: Rise, code: string) => ({
  ...{ schoolYear, naturalKey: `${code}:${rise.snapshotId}`, sourceId: String(rise.snapshotId), reached: rise.to },
  ...{ sessionKey: `${rise.session.source}:${rise.session.id}`, occurredAt: rise.session.endedAt },
});
