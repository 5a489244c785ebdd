// Statuses that have risen with a run: its sub-skills first, in the order of the catalogue, then its domains.
import type { DomainNode } from '../../../catalogue/index.ts';
import { domainRise, mayRise, type Rise, skillRise, type YearHistory } from '../../engine/growth/rises.ts';
import type { Growth } from '../../ledger/record.ts';
import { type OfYear, storedYear, withSessions } from '../history.ts';
import type { Judge } from './judging.ts';

export const growthOfRun: Judge = async (trx, judging, { payload }) => {
  const { organizationId, studentId, catalogue, until } = judging;
  const runId = String(payload.runId);
  const run: { schoolYear: string } | undefined = await trx('sse_run')
    .where({ organizationId, id: runId })
    .first('schoolYear');
  if (!run) return [];
  const of = { organizationId, studentId, schoolYear: run.schoolYear, until };
  const stored = await storedYear(trx, of);
  if (!mayRise(stored, runId)) return [];
  const history = await withSessions(trx, of, stored);
  return [
    ...catalogue.subSkills.flatMap(({ code }) => skillGrowth(of, history, runId, code)),
    ...catalogue.domains.flatMap((domain) => domainGrowth(of, history, runId, domain)),
  ];
};

function skillGrowth(of: OfYear, history: YearHistory, runId: string, code: string): Growth[] {
  const own = history.skills.filter(({ subSkillCode }) => subSkillCode === code);
  const row = own.find((one) => one.runId === runId);
  const rise = row && own.at(-1)?.status !== null ? skillRise(history, row.id) : undefined;
  if (!rise) return [];
  const kind = { sourceKind: 'skill_status_transition', sourceType: 'skill_snapshot' } as const;
  return [{ ...kind, ...growthOf(of, rise, code), subSkillCode: code, domainCode: null }];
}

/** A sub-skill or domain that is undecided by now tells of no growth. */
function domainGrowth(of: OfYear, history: YearHistory, runId: string, { code, subSkills }: DomainNode): Growth[] {
  const own = history.domains.filter(({ domainCode }) => domainCode === code);
  const row = own.find((one) => one.runId === runId);
  const codes = new Set(subSkills.map((subSkill) => subSkill.code));
  const rise = row && own.at(-1)?.status !== null ? domainRise(history, row.id, codes) : undefined;
  if (!rise) return [];
  const kind = { sourceKind: 'domain_status_escalation', sourceType: 'domain_snapshot' } as const;
  return [{ ...kind, ...growthOf(of, rise, code), subSkillCode: null, domainCode: code }];
}

const growthOf = ({ schoolYear }: OfYear, rise: Rise, code: string) => ({
  ...{ schoolYear, naturalKey: `${code}:${rise.snapshotId}`, sourceId: String(rise.snapshotId), reached: rise.to },
  ...{ sessionKey: `${rise.session.source}:${rise.session.id}`, occurredAt: rise.session.endedAt },
});
