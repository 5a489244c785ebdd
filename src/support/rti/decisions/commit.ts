// Commits a decision about a student's tier without a packet (contract 51 §4.7): runs the checks in their order under the lock
// of the student's support, and writes decision, movement and alert in one transaction.
import type { Static } from 'typebox';
import { type Answer, created, ok } from '#core/http/answers.ts';
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { underLock } from '../../interventions/index.ts';
import { closeByDecision } from '../alerts/close.ts';
import { type CommitState, checkCommit, codeFault } from '../engine/tiers/commit-check.ts';
import { tierAfter } from '../engine/tiers/recommend.ts';
import { type AdviceNow, adviceNow } from '../recommendation/advice.ts';
import { appendDecision, type NewDecision } from '../rows/decisions.ts';
import { rtiRules } from '../rules/compiled.ts';
import type { RtiSituation } from '../situations/situation.ts';
import { type RtiSituations, rtiSituationsOf } from '../situations/situations.ts';
import { moveTier, notEnrolled } from '../tiers/move.ts';
import { presentDecision } from './present.ts';
import { requireAcceptedDecision, requireEffective } from './refusals.ts';
import type { DecisionBody, NotDecided, TierDecisionView } from './schemas.ts';

interface Call {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly scope: StudentInScope;
  readonly body: Static<typeof DecisionBody>;
  readonly now: Date;
}

type Committed = Answer<201, Static<typeof TierDecisionView>> | Answer<200, Static<typeof NotDecided>>;

export async function commitDecision(asked: Call): Promise<Committed> {
  await requireCode(asked);
  const { organizationId, id: studentId } = asked.scope;
  const call = await underLock(asked, { organizationId, studentId });
  const { services, trx, body, now } = call;
  const found = await rtiSituationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const situation = found.situations.get(studentId);
  if (!situation) throw notFound();
  requireEffective(body, situation, { yearFrom: yearFrom(found, situation, now), settings: found.rules.settings });
  if (situation.enrollment === null) throw notEnrolled();
  const advised = adviceNow(found, situation);
  const answer = checkCommit(body, commitState(advised), found.rules.codes);
  if (answer.status === 200) return ok(notDecided(advised));
  requireAcceptedDecision(answer);
  const decision = await carriedOut(call, advised);
  return created(presentDecision(await appendDecision(trx, decision)));
}

async function requireCode({ services, trx, body, now }: Call): Promise<void> {
  const { codes } = rtiRules((await services.rules.at(trx, now)).rules);
  const fault = codeFault(body.overrideCode, 'rti_decision', codes);
  if (fault !== undefined) throw invalid('overrideCode', fault);
}

/** The first day of the present school year, a local date. */
function yearFrom({ rules }: RtiSituations, { timeZone }: RtiSituation, now: Date): string {
  const { from } = schoolYearOf(now.toISOString(), timeZone, rules.skills.catalogue.schoolYearStart);
  return localDate(new Date(from), timeZone);
}

const commitState = ({ shown, input }: AdviceNow): CommitState => ({
  recommendation: { recommendationId: shown.recommendationId, decision: shown.decision },
  tier: input.tier.tier,
  gate: shown.fidelity.gate,
  acuteOpen: input.tier.acuteOpen,
  insufficient: shown.dataSufficiency === 'insufficient',
  halted: shown.decision === null,
});

const notDecided = ({ shown }: AdviceNow) => ({
  outcome: 'do_not_decide_yet' as const,
  nextRecommendedDataAction: shown.nextRecommendedDataAction,
});

/** Carries out the decision and returns its row. */
async function carriedOut(call: Call, { situation, input, shown }: AdviceNow): Promise<NewDecision> {
  const { actor, scope, body, now } = call;
  const { organizationId, id: studentId } = scope;
  const { tier, today, schoolYear } = situation;
  const { decision, overrideCode = null, effectiveOn = today, effectiveReason = null } = body;
  const planned = { id: newId(), fromTier: tier, toTier: tierAfter(tier, decision) ?? tier, effectiveOn };
  return {
    ...{ organizationId, schoolYear, studentId, decision, overrideCode, effectiveReason, ...planned },
    ...(planned.toTier === tier ? await stayed(call, today) : await moved(call, planned)),
    recommendationId: shown.recommendationId,
    recommendedDecision: shown.decision ?? decision,
    ...{ decidedBy: actor.userId, committedAt: now.toISOString(), packetId: null },
    ...{ recommendation: shown, facts: input, ruleVersions: shown.ruleVersions },
  };
}

type Effects = Pick<NewDecision, 'movementId' | 'closedAlertId'>;

async function stayed({ trx, scope, body, now }: Call, today: string): Promise<Effects> {
  const { organizationId, id: studentId } = scope;
  const deciding = { organizationId, studentId, decision: body.decision, packet: null, moved: false, now, today };
  return { movementId: null, closedAlertId: await closeByDecision(trx, deciding) };
}

function moved(
  { trx, services, scope, actor, body, now }: Call,
  { id, fromTier, toTier, effectiveOn }: Pick<NewDecision, 'id' | 'fromTier' | 'toTier' | 'effectiveOn'>,
): Promise<Effects> {
  return moveTier(trx, services, {
    ...{ organizationId: scope.organizationId, studentId: scope.id, now },
    ...{ expectedFromTier: fromTier, toTier, effectiveOn, isEarlierSupport: body.effectiveReason !== undefined },
    source: { type: 'rti_decision', id },
    actor: actor.userId,
  });
}
