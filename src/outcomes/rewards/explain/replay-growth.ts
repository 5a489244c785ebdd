// Replays the evaluation of a mastery event's source by what was stored until then, and checks that the growth is the
// same.

import { CbmTrend } from '#assessment/measurement/index.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { BundleAssignment, interventionRules } from '#support/interventions/index.ts';
import { growthOfCompletion, growthOfScaffold, growthOfStep } from '../emission/evaluation/assignments.ts';
import type { EvaluationContext, Fact, GrowthSource } from '../emission/evaluation/growth-source.ts';
import { growthOfReading, growthOfTrend } from '../emission/evaluation/readings.ts';
import { isReachedFirst } from '../emission/evaluation/regained.ts';
import { growthOfRun } from '../emission/evaluation/runs.ts';
import { growthOfState } from '../emission/evaluation/states.ts';
import { studentsInHalt } from '../emission/halts.ts';
import type { MasterySourceKind } from '../engine/enums.ts';
import { masteryEventsOf } from '../ledger/ledgers.ts';
import type { PossibleGrowth } from '../ledger/record.ts';
import type { MasteryEventRow } from '../ledger/rows.ts';
import type { RewardCheck } from './schemas.ts';

type Payload = Fact['payload'];

interface GrowthReplay {
  readonly source: GrowthSource;
  /** Rebuilds the payload of the original event; undefined when its row is gone. */
  payloadOf(trx: Trx, event: MasteryEventRow): Promise<Payload | undefined>;
}

const fromKey = (payloadOf: (event: MasteryEventRow) => Payload) => async (_trx: Trx, event: MasteryEventRow) =>
  payloadOf(event);

/** The run that stored the snapshot. */
const runOf =
  (table: 'sse_skill_snapshot' | 'sse_domain_snapshot') =>
  (trx: Trx, { organizationId, schoolYear, sourceId }: MasteryEventRow): Promise<Payload | undefined> =>
    trx(table)
      .where({ organizationId, schoolYear, id: Number(sourceId) })
      .first('runId');

async function trendOf(trx: Trx, { organizationId, schoolYear, sourceId }: MasteryEventRow) {
  const row = await CbmTrend.query(trx)
    .where({ organizationId, schoolYear, probeId: Number(sourceId), byCorrection: false })
    .select('id as trendId', 'measureCode')
    .first()
    .castTo<Payload | undefined>();
  return row && { ...row };
}

interface SupportAssignment {
  readonly steps: readonly { readonly stepNo: number; readonly goalState: string }[];
  readonly completionResult: string | null;
}

/** Returns undefined when the assignment no longer has the outcome of the event. */
const fromAssignment =
  (
    isSo: (assignment: SupportAssignment, event: MasteryEventRow) => boolean,
    payloadOf: (event: MasteryEventRow) => Payload,
  ) =>
  async (trx: Trx, event: MasteryEventRow): Promise<Payload | undefined> => {
    const { organizationId, sourceId: id } = event;
    const assignment: SupportAssignment | undefined = await BundleAssignment.query(trx)
      .where({ organizationId, id })
      .select('steps', 'completionResult')
      .first();
    return assignment && isSo(assignment, event) ? payloadOf(event) : undefined;
  };

const stepNoOf = ({ naturalKey }: MasteryEventRow): number => Number(naturalKey.split(':')[1]);

const replays: Readonly<Record<MasterySourceKind, GrowthReplay>> = {
  subskill_state_up: { source: growthOfState, payloadOf: fromKey(({ sourceId }) => ({ skillStateId: sourceId })) },
  skill_status_transition: { source: growthOfRun, payloadOf: runOf('sse_skill_snapshot') },
  domain_status_escalation: { source: growthOfRun, payloadOf: runOf('sse_domain_snapshot') },
  band_progression: { source: growthOfReading, payloadOf: fromKey(({ sourceId }) => ({ assessmentId: sourceId })) },
  cbm_trend_above_goal: { source: growthOfTrend, payloadOf: trendOf },
  bundle_step_goal_met: {
    source: growthOfStep,
    payloadOf: fromAssignment(
      ({ steps }, event) => steps.some(({ stepNo, goalState }) => stepNo === stepNoOf(event) && goalState === 'met'),
      (event) => ({ assignmentId: event.sourceId, stepNo: stepNoOf(event) }),
    ),
  },
  bundle_completion: {
    source: growthOfCompletion,
    payloadOf: fromAssignment(
      ({ completionResult }) => completionResult === 'goals_met',
      ({ sourceId, sessionKey }) => ({
        assignmentId: sourceId,
        endedBy: sessionKey.startsWith('assignment:') ? 'review' : 'session',
      }),
    ),
  },
  scaffold_tier_step_up: {
    source: growthOfScaffold,
    payloadOf: fromKey(({ sourceId, naturalKey }) => {
      const [, from, to] = naturalKey.split(':');
      return { assignmentId: sourceId, from, to };
    }),
  },
};

/** Returns the checks in the order of evaluation. Throws ENGINE_UNAVAILABLE without the rules of that moment. */
export async function growthChecks(
  trx: Trx,
  { rules }: { readonly rules: ActiveRules },
  event: MasteryEventRow,
): Promise<RewardCheck[]> {
  const { organizationId, studentId, recordedAt: until } = event;
  const now = new Date(until);
  const { rules: bundle } = await rules.at(trx, now);
  const context = { organizationId, bundle, until, catalogue: interventionRules(bundle).profiles.catalogue };
  const growth = await replayGrowth(trx, context, event);
  const halted = await studentsInHalt(trx, { organizationId, studentIds: [studentId], bundle, now, until });
  const earlier = (await masteryEventsOf(trx, event)).filter(({ id }) => id < event.id);
  return [
    { check: 'halt', outcome: halted.has(studentId) ? 'halted' : 'not_halted' },
    { check: 'growth', outcome: growth === undefined ? 'none' : isSame(growth, event) ? 'same' : 'other' },
    { check: 'ground', outcome: isReachedFirst(earlier, event) ? 'new' : 'reached_before' },
  ];
}

async function replayGrowth(
  trx: Trx,
  context: EvaluationContext,
  event: MasteryEventRow,
): Promise<PossibleGrowth | undefined> {
  const { source, payloadOf } = replays[event.sourceKind];
  const payload = await payloadOf(trx, event);
  if (!payload) return undefined;
  const fact = { studentId: event.studentId, payload, happenedAt: event.occurredAt };
  const growths = (await source(trx, context, [fact]))(fact);
  return growths.find((one) => one.sourceKind === event.sourceKind && one.naturalKey === event.naturalKey);
}

const isSame = (growth: PossibleGrowth, event: MasteryEventRow): boolean =>
  (Object.keys(growth) as (keyof PossibleGrowth)[]).every((name) => growth[name] === event[name]);
