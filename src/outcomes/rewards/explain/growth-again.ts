// Whether what a mastery event was found in tells of the same growth when it is judged again, by what was stored until then.

import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { haltedAmong } from '../emission/halts.ts';
import { isNewGround } from '../emission/judge/ground.ts';
import type { Fact, Judge, Judging } from '../emission/judge/judging.ts';
import { growthOfCompletion, growthOfScaffold, growthOfStep } from '../emission/judge/plans.ts';
import { growthOfReading, growthOfTrend } from '../emission/judge/readings.ts';
import { growthOfRun } from '../emission/judge/runs.ts';
import { growthOfState } from '../emission/judge/states.ts';
import type { MasterySourceKind } from '../engine/vocabulary.ts';
import { masteryEventsOf } from '../ledger/known.ts';
import type { Growth } from '../ledger/record.ts';
import type { MasteryEventRow } from '../ledger/rows.ts';
import type { Check } from './schemas.ts';

type Payload = Fact['payload'];

interface Again {
  readonly judge: Judge;
  /** What the event that told of it says; undefined where its row is gone. */
  payloadOf(trx: Trx, event: MasteryEventRow): Promise<Payload | undefined>;
}

const fromKey = (payloadOf: (event: MasteryEventRow) => Payload) => async (_trx: Trx, event: MasteryEventRow) =>
  payloadOf(event);

/** The run that a snapshot was stored with. */
const runOf =
  (table: 'sse_skill_snapshot' | 'sse_domain_snapshot') =>
  (trx: Trx, { organizationId, schoolYear, sourceId }: MasteryEventRow): Promise<Payload | undefined> =>
    trx(table)
      .where({ organizationId, schoolYear, id: Number(sourceId) })
      .first('runId');

async function trendOf(trx: Trx, { organizationId, schoolYear, sourceId }: MasteryEventRow) {
  const row: Payload | undefined = await trx('cbm_trend')
    .where({ organizationId, schoolYear, probeId: Number(sourceId) })
    .first({ trendId: 'id', measureCode: 'measureCode' });
  return row;
}

interface Plan {
  readonly steps: readonly { readonly stepNo: number; readonly goalState: string }[];
  readonly completionResult: string | null;
}

/** Nothing where the plan does not say any more what the event told. */
const fromPlan =
  (isSo: (plan: Plan, event: MasteryEventRow) => boolean, payloadOf: (event: MasteryEventRow) => Payload) =>
  async (trx: Trx, event: MasteryEventRow): Promise<Payload | undefined> => {
    const { organizationId, sourceId: id } = event;
    const plan: Plan | undefined = await trx('bundle_assignment')
      .where({ organizationId, id })
      .first('steps', 'completionResult');
    return plan && isSo(plan, event) ? payloadOf(event) : undefined;
  };

const stepNoOf = ({ naturalKey }: MasteryEventRow): number => Number(naturalKey.split(':')[1]);

const again: Readonly<Record<MasterySourceKind, Again>> = {
  subskill_state_up: { judge: growthOfState, payloadOf: fromKey(({ sourceId }) => ({ skillStateId: sourceId })) },
  skill_status_transition: { judge: growthOfRun, payloadOf: runOf('sse_skill_snapshot') },
  domain_status_escalation: { judge: growthOfRun, payloadOf: runOf('sse_domain_snapshot') },
  band_progression: { judge: growthOfReading, payloadOf: fromKey(({ sourceId }) => ({ assessmentId: sourceId })) },
  cbm_trend_above_goal: { judge: growthOfTrend, payloadOf: trendOf },
  bundle_step_goal_met: {
    judge: growthOfStep,
    payloadOf: fromPlan(
      ({ steps }, event) => steps.some(({ stepNo, goalState }) => stepNo === stepNoOf(event) && goalState === 'met'),
      (event) => ({ assignmentId: event.sourceId, stepNo: stepNoOf(event) }),
    ),
  },
  bundle_completion: {
    judge: growthOfCompletion,
    payloadOf: fromPlan(
      ({ completionResult }) => completionResult === 'goals_met',
      ({ sourceId, sessionKey }) => ({
        assignmentId: sourceId,
        endedBy: sessionKey.startsWith('assignment:') ? 'review' : 'session',
      }),
    ),
  },
  scaffold_tier_step_up: {
    judge: growthOfScaffold,
    payloadOf: fromKey(({ sourceId, naturalKey }) => {
      const [, from, to] = naturalKey.split(':');
      return { assignmentId: sourceId, from, to };
    }),
  },
};

/** In the order in which growth is judged. Throws ENGINE_UNAVAILABLE without the rules of that moment. */
export async function growthChecks(
  trx: Trx,
  { rules }: { readonly rules: ActiveRules },
  event: MasteryEventRow,
): Promise<Check[]> {
  const { organizationId, studentId, recordedAt: until } = event;
  const now = new Date(until);
  const { rules: bundle } = await rules.at(trx, now);
  const judging = { organizationId, bundle, until, catalogue: interventionRules(bundle).profiles.catalogue };
  const growth = await growthAgain(trx, judging, event);
  const halted = await haltedAmong(trx, { organizationId, studentIds: [studentId], bundle, now, until });
  const earlier = (await masteryEventsOf(trx, event)).filter(({ id }) => id < event.id);
  return [
    { check: 'halt', outcome: halted.has(studentId) ? 'halted' : 'not_halted' },
    { check: 'growth', outcome: growth === undefined ? 'none' : isSame(growth, event) ? 'same' : 'other' },
    { check: 'ground', outcome: isNewGround(earlier, event) ? 'new' : 'reached_before' },
  ];
}

async function growthAgain(trx: Trx, judging: Judging, event: MasteryEventRow): Promise<Growth | undefined> {
  const { judge, payloadOf } = again[event.sourceKind];
  const payload = await payloadOf(trx, event);
  if (!payload) return undefined;
  const fact = { studentId: event.studentId, payload, happenedAt: event.occurredAt };
  const told = (await judge(trx, judging, [fact]))(fact);
  return told.find((one) => one.sourceKind === event.sourceKind && one.naturalKey === event.naturalKey);
}

const isSame = (growth: Growth, event: MasteryEventRow): boolean =>
  (Object.keys(growth) as (keyof Growth)[]).every((name) => growth[name] === event[name]);
