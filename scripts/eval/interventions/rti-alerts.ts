// Cases of alerts: a student's days one after the other, with all alerts after each day.
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { AlertFacts, AlertState, AlertTransition } from '#support/rti/engine/alerts/alert.ts';
import { acknowledgeFault, dismissFault, isClosedBy } from '#support/rti/engine/alerts/moves.ts';
import type { CloseReason, ReviewType, TierDecision } from '#support/rti/engine/vocabulary.ts';
import type { Engines } from './engines.ts';

/** `acuteSubSkill` is null exactly without a drop. */
type GivenFacts = Omit<AlertFacts, 'acuteDrop' | 'acuteCbm'> & {
  readonly acuteDrop: boolean;
  readonly acuteSubSkill: string | null;
  readonly acuteCbm: boolean;
};

type AlertStep = { readonly on: string } & (
  | { readonly op: 'evaluate'; readonly facts: GivenFacts }
  | { readonly op: 'acknowledge' | 'dismiss'; readonly n: number }
  | { readonly op: 'decision'; readonly decision: TierDecision; readonly packet: ReviewType | null }
);

interface AlertsInput {
  readonly steps: readonly AlertStep[];
}

type CaseAlert = AlertState & { readonly closeReason: CloseReason | null };

export function alertsCase({ steps }: AlertsInput, { rti }: Engines) {
  let alerts: readonly CaseAlert[] = [];
  return steps.map((step) => {
    const { result, after } = applyStep(step, alerts, rti);
    alerts = after;
    return { result, alerts: alerts.map(shownAlert) };
  });
}

interface StepResult {
  readonly result: string;
  readonly after: readonly CaseAlert[];
}

function applyStep(step: AlertStep, alerts: readonly CaseAlert[], rti: Engines['rti']): StepResult {
  const { on } = step;
  if (step.op === 'evaluate') {
    const { halted, transitions } = rti.alerts.evaluate(alertFacts(step.facts), alerts, on);
    return {
      result: halted ? 'halt' : 'ok',
      after: transitions.reduce((so, one) => after(so, one, on), alerts),
    };
  }
  if (step.op === 'decision') return { result: 'ok', after: alerts.map((one) => decided(one, step)) };
  const alert = alerts.find(({ alertId }) => alertId === String(step.n));
  if (!alert) throw new RangeError(`no alert ${step.n}`);
  const fault = step.op === 'dismiss' ? dismissFault(alert) : acknowledgeFault(alert);
  if (fault || step.op === 'acknowledge') return { result: fault ?? 'ok', after: alerts };
  const expiresOn = daysAfter(on, rti.settings.dismissalDays);
  const dismissed = { ...alert, state: 'dismissed', expiresOn } as const;
  return { result: 'ok', after: alerts.map((one) => (one === alert ? dismissed : one)) };
}

const alertFacts = ({ acuteDrop, acuteSubSkill, acuteCbm, ...facts }: GivenFacts): AlertFacts => ({
  ...facts,
  acuteDrop: acuteDrop && acuteSubSkill !== null ? { subSkillCode: acuteSubSkill, snapshotId: 0 } : null,
  acuteCbm: acuteCbm ? 'signal' : null,
});

function after(alerts: readonly CaseAlert[], transition: AlertTransition, on: string): readonly CaseAlert[] {
  if (transition.type === 'open') {
    const { kind, subSkillCode } = transition;
    const alertId = String(alerts.length + 1);
    const closed = { expiresOn: null, closedOn: null, closedBy: null, closeReason: null };
    return [...alerts, { alertId, kind, state: 'open', subSkillCode, ...closed }];
  }
  return alerts.map((one) => {
    if (one.alertId !== transition.alertId) return one;
    if (transition.type === 'reopen') return { ...one, state: 'open', expiresOn: null };
    return { ...one, state: 'closed', expiresOn: null, closedOn: on, closeReason: transition.reason };
  });
}

/** In the cases every escalation and de-escalation changes the student's tier. */
function decided(alert: CaseAlert, { decision, packet, on }: Extract<AlertStep, { op: 'decision' }>): CaseAlert {
  const moved = decision === 'escalate' || decision === 'de_escalate';
  if (alert.state !== 'open' || !isClosedBy(alert.kind, { decision, packet, moved })) return alert;
  return { ...alert, state: 'closed', closedOn: on, closedBy: decision, closeReason: 'decision_committed' };
}

const shownAlert = ({ alertId, kind, state, closeReason, subSkillCode, expiresOn }: CaseAlert) => ({
  n: Number(alertId),
  kind,
  state,
  closeReason,
  subSkillCode,
  expiresOn,
});
