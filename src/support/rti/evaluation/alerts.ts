// Runs the alert machine over one stored student. The input is pinned with the result, so that the same rules always give the
// same result.

import type { Trx } from '#core/platform/db.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { versionsOf } from '../../interventions/index.ts';
import { closeAlert, type Opened, openRtiAlert, reopenAlert } from '../alerts/change.ts';
import type { AlertEvaluation, AlertFacts, AlertState, AlertTransition } from '../engine/alerts/alert.ts';
import type { RtiRules } from '../engine/compiled.ts';
import { alertState, type RtiAlert } from '../rows/alerts.ts';
import type { RtiSituation } from '../situations/situation.ts';

/** The complete input of the machine, as plain data. */
export interface MachineInput {
  readonly facts: AlertFacts;
  readonly alerts: readonly AlertState[];
  /** Local date. */
  readonly today: string;
}

/** The documents that decide alerts and the input of the machine. */
export const alertDocuments = [
  ...['profile/settings', 'profile/resolution', 'rti/skill-state', 'rti/alerts', 'rti/decision-packet'],
  ...['fidelity/gate', 'fidelity/settings'],
];

export interface EvaluatedAlerts {
  readonly situation: RtiSituation;
  readonly input: MachineInput;
  readonly answer: AlertEvaluation;
  readonly opened: Opened;
  readonly schoolYear: string;
}

export interface AlertChanges {
  /** The alert that was opened and is open now. */
  readonly opened: RtiAlert | null;
  readonly closed: readonly RtiAlert[];
}

/** For a student in no class no rule is asked: the remaining alerts are closed (ALT-13). */
export function runMachine(
  situation: RtiSituation,
  rules: RtiRules,
  { organizationId, now }: { readonly organizationId: string; readonly now: Date },
): EvaluatedAlerts {
  const { studentId, today, timeZone, calendar, alertFacts: facts, enrollment } = situation;
  const states = situation.alerts.filter(isAsked).map((row): AlertState => {
    return { ...alertState(row), ...(situation.voidedAlerts.has(row.id) && { evidenceVoided: true }) };
  });
  const input = { facts, alerts: states, today };
  const answer = enrollment ? rules.alerts.evaluate(facts, input.alerts, today) : leaving(input.alerts);
  const ruleVersions = versionsOf(rules, alertDocuments);
  return {
    ...{ situation, input, answer },
    opened: {
      organizationId,
      studentId,
      now,
      today,
      input: { ...input },
      rules,
      calendar,
      isHeld: false,
      ruleVersions,
    },
    schoolYear: schoolYearOf(now.toISOString(), timeZone, rules.skills.catalogue.schoolYearStart).name,
  };
}

/** Open and dismissed alerts, and those whose end may keep a kind quiet. */
const isAsked = ({ state, closingDecision }: RtiAlert): boolean =>
  state !== 'closed' || closingDecision === 'maintain' || closingDecision === 'defer';

/** The rule that closes the remaining alerts of a student who leaves. */
export const leavingRule = 'ALT-13';

const leaving = (alerts: readonly AlertState[]): AlertEvaluation => ({
  ...{ halted: false, ruleId: leavingRule, suppressedKind: null },
  transitions: alerts
    .filter(({ state }) => state !== 'closed')
    .map(({ alertId }) => ({ type: 'close', alertId, reason: 'student_left' })),
});

/** Students with an alert that opens. */
export const studentsWithOpening = (evaluated: readonly EvaluatedAlerts[]): number[] =>
  evaluated
    .filter(({ answer }) => answer.transitions.some(({ type }) => type !== 'close'))
    .map(({ situation }) => situation.studentId);

/** Writes the transitions in the order of the machine. `held`: students with a packet under review or deferred. */
export async function writeTransitions(
  trx: Trx,
  { situation, answer, opened: asked }: EvaluatedAlerts,
  held: ReadonlySet<number>,
): Promise<AlertChanges> {
  const opened = { ...asked, isHeld: held.has(situation.studentId) };
  const rows = new Map(situation.alerts.map((row) => [row.id, row]));
  const written = new Map<string, RtiAlert>();
  for (const transition of answer.transitions) {
    const row = await writeTransition(trx, transition, rows, opened);
    rows.set(row.id, row);
    written.set(row.id, row);
  }
  const changed = [...written.values()];
  return {
    opened: changed.find(({ state }) => state === 'open') ?? null,
    closed: changed.filter(({ state }) => state === 'closed'),
  };
}

async function writeTransition(
  trx: Trx,
  transition: AlertTransition,
  rows: ReadonlyMap<string, RtiAlert>,
  opened: Opened,
): Promise<RtiAlert> {
  if (transition.type === 'open') return openRtiAlert(trx, transition, opened);
  const row = rows.get(transition.alertId);
  if (!row) throw new RangeError(`the machine speaks of alert ${transition.alertId}, which it was not changed of`);
  return transition.type === 'reopen' ? reopenAlert(trx, row, opened) : closeAlert(trx, row, transition.reason, opened);
}

/** The evaluations with a change, or with another suppressed candidate than the newest row of the log. */
export async function changedEvaluations(trx: Trx, evaluated: readonly EvaluatedAlerts[]): Promise<EvaluatedAlerts[]> {
  const known = await newestSuppressed(trx, evaluated);
  return evaluated.filter(({ situation: { studentId, openAlert }, answer }) => {
    if (answer.transitions.length > 0) return true;
    const newest = known.get(studentId);
    const isKnown = newest?.openAlertId === openAlert?.id && newest?.suppressedKind === answer.suppressedKind;
    return answer.suppressedKind !== null && !isKnown;
  });
}

/** Appends a row for each of these evaluations. */
export async function writeLog(
  trx: Trx,
  evaluated: readonly EvaluatedAlerts[],
  changes: ReadonlyMap<number, AlertChanges>,
): Promise<void> {
  const changed = await changedEvaluations(trx, evaluated);
  await insertRows(
    trx,
    'rti_evaluation',
    changed.map((one) => logRow(one, changes.get(one.situation.studentId)?.opened?.id ?? null)),
  );
}

interface Suppressed {
  readonly studentId: number;
  readonly suppressedKind: string | null;
  readonly openAlertId: string | null;
}

async function newestSuppressed(
  trx: Trx,
  evaluated: readonly EvaluatedAlerts[],
): Promise<ReadonlyMap<number, Suppressed>> {
  const asked = evaluated.filter(({ answer }) => answer.suppressedKind !== null);
  if (asked.length === 0) return new Map();
  const rows = await rowsOf<Suppressed>(
    trx,
    `select distinct on (e.student_id) e.student_id, e.suppressed_kind, e.open_alert_id from rti_evaluation e
     where e.organization_id = :organizationId and e.student_id = any(:studentIds::bigint[])
     order by e.student_id, e.id desc`,
    {
      organizationId: asked[0]?.opened.organizationId ?? '',
      studentIds: asked.map(({ situation }) => situation.studentId),
    },
  );
  return new Map(rows.map((row) => [row.studentId, row]));
}

function logRow({ situation, input, answer, opened, schoolYear }: EvaluatedAlerts, openedId: string | null) {
  const stays = answer.transitions.every((one) => one.type === 'open' || one.alertId !== situation.openAlert?.id);
  return {
    ...{ organizationId: opened.organizationId, schoolYear, studentId: situation.studentId },
    ...{ evaluatedAt: opened.now.toISOString(), ruleId: answer.ruleId, suppressedKind: answer.suppressedKind },
    openAlertId: openedId ?? (stays ? (situation.openAlert?.id ?? null) : null),
    ...{ transitions: answer.transitions, input, ruleVersions: opened.ruleVersions },
  };
}
