// Appends the results of runs and the event of each run, in the caller's transaction.
import { appendEvents, type Lane, type NewEvent, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { type ColumnType, type ColumnTypes, insertColumns } from '#core/platform/statements/insert-columns.ts';
import type { DomainContent, SkillContent } from '../results/rows.ts';
import type { RunRow } from '../results/tables.ts';
import { macroUpdated } from './events.ts';

/** A run with its input as canonical text. */
export type NewRun = Omit<RunRow, 'input'> & { readonly input: string };

/** The rows that one run appends. */
export interface RunRecord {
  readonly run: NewRun;
  readonly skills: readonly SkillContent[];
  readonly domains: readonly DomainContent[];
}

export async function appendRuns(trx: Trx, records: readonly RunRecord[], now: Date): Promise<void> {
  const [runs, skills, domains] = [
    records.map(({ run }) => run),
    records.flatMap((record) => record.skills),
    records.flatMap((record) => record.domains),
  ];
  await insertColumns(trx, 'sse_run', runs, runColumns);
  const numbered = [
    ...(await insertColumns(trx, 'sse_skill_snapshot', skills, skillColumns)),
    ...(await insertColumns(trx, 'sse_domain_snapshot', domains, domainColumns)),
  ];
  const ids = new Map<Content, number>([...skills, ...domains].map((row, at) => [row, Number(numbered[at]?.id)]));
  for (const lane of ['fresh', 'later'] as const) {
    const own = records.filter(({ run }) => laneOf(run) === lane);
    await appendEvents(
      trx,
      now,
      own.map((record) => runEvent(record, (row) => idIn(ids, row))),
      lane,
    );
  }
}

/** Returns the lane of a run's events. Runs caused by new rules are not urgent. */
export const laneOf = ({ trigger }: Pick<NewRun, 'trigger'>): Lane =>
  trigger === 'rule_activation' ? 'later' : 'fresh';

/** Returns the id of an inserted row; an id of 0 would be refused with its event. */
const idIn = (ids: ReadonlyMap<Content, number>, row: Content): number => ids.get(row) ?? 0;

type Content = SkillContent | DomainContent;
type IdOf = (row: Content) => number;

/** The event contains ids and enum values; consumers that need more read the rows. */
const runEvent = (
  { run: { organizationId, studentId, id: runId, halted }, skills, domains }: RunRecord,
  idOf: IdOf,
): NewEvent =>
  newEvent(macroUpdated, organizationId, {
    studentId,
    runId,
    halted,
    skills: skills.map((row) => {
      return { snapshotId: idOf(row), outcome: row.outcome, status: row.status, subSkillCode: row.subSkillCode };
    }),
    domains: domains.map((row) => {
      return { snapshotId: idOf(row), outcome: row.outcome, status: row.status, domainCode: row.domainCode };
    }),
  });

const runColumns: ColumnTypes<NewRun> = {
  ...{ id: 'text', organizationId: 'text', studentId: 'bigint', schoolYear: 'text' },
  ...{ trigger: 'text', triggerRef: 'text', asOf: 'timestamptz', windowFrom: 'timestamptz', windowTo: 'timestamptz' },
  ...{ grade: 'integer', contextReview: 'boolean', outcome: 'text', halted: 'boolean', nextDataAction: 'text' },
  ...{ evaluatedSubSkills: 'text[]', input: 'json', inputHash: 'text', resultHash: 'text' },
  ...{ responseRuleIds: 'text[]', responseCodes: 'text[]', tiles: 'jsonb' },
  ...{ bundleId: 'text', ruleVersions: 'jsonb', createdAt: 'timestamptz' },
};

const ofStudent: Readonly<Record<keyof (SkillContent | DomainContent), ColumnType>> = {
  ...{ organizationId: 'text', runId: 'text', studentId: 'bigint', schoolYear: 'text', decidedAt: 'timestamptz' },
  ...{ outcome: 'text', status: 'text', nextDataAction: 'text', modifiers: 'text[]' },
  ...{ ruleVersion: 'text', bundleId: 'text' },
};

const skillColumns: ColumnTypes<SkillContent> = {
  ...ofStudent,
  ...{ subSkillCode: 'text', facts: 'json', cisRuleId: 'text', pacRuleId: 'text', ssrRuleId: 'text' },
  ...{ pacDecision: 'text', pacReason: 'text', confidence: 'text', decisionStrength: 'text', itemsNeeded: 'integer' },
  ...{ leadingMicroPattern: 'text', codeCounts: 'json', newestUnitRef: 'text', calibrationProvisional: 'boolean' },
};

const domainColumns: ColumnTypes<DomainContent> = {
  ...ofStudent,
  ...{ domainCode: 'text', ddrRuleId: 'text', dsmRuleId: 'text', reason: 'text', inScope: 'integer' },
  ...{ decided: 'integer', coverage: 'numeric', coverageOk: 'boolean', rawWeightedDeficitRate: 'numeric' },
  ...{ gatewaySeverity: 'numeric', validEvidence: 'boolean', tileValue: 'text', severePath: 'text' },
  ...{ compRuleId: 'text', compPattern: 'text', compRoutingHint: 'text', compDecodingState: 'text' },
  ...{ compLanguageState: 'text', compNextDataAction: 'text' },
};
