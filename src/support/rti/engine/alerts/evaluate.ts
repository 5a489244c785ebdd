// Layer B (ALT): a pure function from a student's facts and alerts to the transitions of the alerts.
import { compare } from '#core/platform/pure/lists/compare.ts';
import { firstHit, type RuleBundle, type Table, traceUntil } from '#rules/rulesets/engine/index.ts';
import { rtiSettings } from '../settings.ts';
import { type RtiAlertKind, rtiAlertKinds, severityOf } from '../vocabulary.ts';
import type { AlertEvaluation, AlertFacts, AlertState, AlertTransition } from './alert.ts';
import { type AlertTableFacts, alertTableFacts, isQuiet, noQuiet, type Quiet, quietOf, tableFacts } from './facts.ts';

export interface AlertRules {
  /** `alerts` in order of opening; `today` is a local date. */
  evaluate(facts: AlertFacts, alerts: readonly AlertState[], today: string): AlertEvaluation;
  /** The result of the table in such an evaluation, with its facts. */
  candidate(facts: AlertFacts, alerts: readonly AlertState[], today: string): AlertCandidate;
  /** Whether a rule of the kind holds, even when the kind is quiet; a Skill_Alert asks for its own sub-skill. */
  ownRuleHolds(alert: Pick<AlertState, 'kind' | 'subSkillCode'>, facts: AlertFacts): boolean;
}

export interface AlertCandidate {
  readonly ruleId: string;
  readonly outcome: RtiAlertKind | 'halt' | 'none';
  readonly facts: AlertTableFacts;
}

/** Kinds that an evaluation may close because their rules no longer hold (ALT-04). */
export const clearing: ReadonlySet<RtiAlertKind> = new Set(['Skill_Alert', 'Student_Alert']);

const words = ['halt', 'none', ...rtiAlertKinds] as const;

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compileAlerts(bundle: RuleBundle): AlertRules {
  const table = bundle.table('rti/alerts');
  const { quietDays } = rtiSettings(bundle);
  const ask = firstHit(table, alertTableFacts, (answer) => ({
    ruleId: answer.ruleId,
    outcome: answer.word('outcome', words),
  }));
  const ownRuleHolds = ownRules(table);
  const asked = (facts: AlertFacts, quiet: Quiet): AlertCandidate => {
    const given = tableFacts(facts, quiet);
    return { ...ask(given), facts: given };
  };
  const look = (facts: AlertFacts, alerts: readonly AlertState[], today: string) => {
    // A halt is evaluated first, independently of what is quiet.
    const halt = asked(facts, noQuiet);
    if (halt.outcome === 'halt') return { candidate: halt, expired: [], standing: alerts };
    const expired = expiries(facts, alerts, today, ownRuleHolds);
    const standing = withoutExpired(alerts, expired);
    return { candidate: asked(facts, quietOf(facts, standing, today, quietDays)), expired, standing };
  };
  return {
    evaluate(facts, all, today) {
      const alerts = withoutVoided(all);
      const voided = closingsOfVoided(all);
      const { candidate, expired, standing } = look(facts, alerts, today);
      const { ruleId, outcome } = candidate;
      if (outcome === 'halt') return { halted: true, ruleId, transitions: voided, suppressedKind: null };
      const opening = outcome === 'none' ? null : openingOf(outcome, ruleId, facts, standing, today, quietDays);
      const found = outcomeOf(openAfter(alerts, expired), opening, (one) => ownRuleHolds(one, facts));
      return { ...found, halted: false, ruleId, transitions: [...voided, ...expired, ...found.transitions] };
    },
    candidate: (facts, alerts, today) => look(facts, withoutVoided(alerts), today).candidate,
    ownRuleHolds,
  };
}

/** ALT-15: such an alert is closed first, also while the student is halted. */
const closingsOfVoided = (alerts: readonly AlertState[]): AlertTransition[] =>
  alerts
    .filter(({ evidenceVoided }) => evidenceVoided)
    .map(({ alertId }) => ({ type: 'close', alertId, reason: 'evidence_voided' }));

const withoutVoided = (alerts: readonly AlertState[]): readonly AlertState[] =>
  alerts.filter(({ evidenceVoided }) => !evidenceVoided);

function ownRules(table: Table): AlertRules['ownRuleHolds'] {
  const { rules } = table.document;
  return ({ kind, subSkillCode }, facts) => {
    const skillHits = facts.skillHits.filter((code) => kind !== 'Skill_Alert' || code === subSkillCode);
    const trace = traceUntil(table, tableFacts({ ...facts, skillHits }, noQuiet));
    return trace.some(({ failed }, row) => !failed && rules[row]?.event.params.outcome === kind);
  };
}

/** ALT-09 to ALT-11, in the order in which the dismissals end. */
function expiries(
  facts: AlertFacts,
  alerts: readonly AlertState[],
  today: string,
  holds: AlertRules['ownRuleHolds'],
): AlertTransition[] {
  let isOpen = alerts.some(({ state }) => state === 'open');
  const due = alerts.filter(
    ({ state, expiresOn }) => state === 'dismissed' && expiresOn !== null && today >= expiresOn,
  );
  const inOrder = due.toSorted((a, b) => compare(a.expiresOn ?? '', b.expiresOn ?? ''));
  return inOrder.map((alert): AlertTransition => {
    const { alertId } = alert;
    if (!holds(alert, facts)) return { type: 'close', alertId, reason: 'condition_cleared' };
    if (isOpen) return { type: 'close', alertId, reason: 'superseded_by_more_severe' };
    isOpen = true;
    return { type: 'reopen', alertId };
  });
}

function openAfter(alerts: readonly AlertState[], expired: readonly AlertTransition[]): AlertState | undefined {
  const isReopened = ({ alertId }: AlertState) =>
    expired.some((one) => one.type === 'reopen' && one.alertId === alertId);
  return alerts.find((one) => one.state === 'open' || isReopened(one));
}

/** Expired dismissals that were neither opened again nor closed by a decision keep nothing quiet. */
const withoutExpired = (alerts: readonly AlertState[], expired: readonly AlertTransition[]): readonly AlertState[] =>
  alerts.filter(({ alertId }) => !expired.some((one) => one.type !== 'open' && one.alertId === alertId));

type Opening = Extract<AlertTransition, { type: 'open' }>;

function openingOf(
  kind: RtiAlertKind,
  ruleId: string,
  { skillHits, acuteDrop, acuteCbm }: AlertFacts,
  alerts: readonly AlertState[],
  today: string,
  quietDays: number,
): Opening {
  const isAcute = kind === 'acute_regression_review';
  const skill = skillHits.find((code) => !isQuiet('Skill_Alert', code, alerts, today, quietDays)) ?? null;
  const subSkillCode = isAcute ? (acuteDrop?.subSkillCode ?? null) : kind === 'Skill_Alert' ? skill : null;
  const spent = {
    snapshotId: isAcute ? (acuteDrop?.snapshotId ?? null) : null,
    signalId: isAcute ? acuteCbm : null,
  };
  return { type: 'open', kind, ruleId, subSkillCode, spent };
}

/** In the order of precedence: ALT-02, ALT-04, ALT-03, ALT-01. */
function outcomeOf(
  open: AlertState | undefined,
  candidate: Opening | null,
  holds: (alert: AlertState) => boolean,
): Pick<AlertEvaluation, 'transitions' | 'suppressedKind'> {
  const opening = candidate ? [candidate] : [];
  if (!open) return { transitions: opening, suppressedKind: null };
  const close = (reason: 'superseded_by_more_severe' | 'condition_cleared'): AlertTransition => ({
    type: 'close',
    alertId: open.alertId,
    reason,
  });
  if (candidate && severityOf(candidate.kind) > severityOf(open.kind)) {
    return { transitions: [close('superseded_by_more_severe'), candidate], suppressedKind: null };
  }
  if (clearing.has(open.kind) && !holds(open)) {
    return { transitions: [close('condition_cleared'), ...opening], suppressedKind: null };
  }
  return { transitions: [], suppressedKind: candidate?.kind ?? null };
}
