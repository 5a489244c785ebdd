// The response of an alert, with the evidence that would end it.
import type { Static } from 'typebox';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RtiRules } from '../engine/compiled.ts';
import { shownStage } from '../engine/due/due-days.ts';
import { alertState, type RtiAlert } from '../rows/alerts.ts';
import type { RtiSituation } from '../situations/situation.ts';
import { rtiSituationsOf } from '../situations/situations.ts';
import type { AlertView } from './schemas.ts';

export type PresentedAlert = Static<typeof AlertView>;

interface Around {
  /** Undefined for a student who was erased. */
  readonly situation: RtiSituation | undefined;
  readonly rules: RtiRules;
  readonly now: Date;
}

export const presentRtiAlert = (row: RtiAlert, { situation, rules, now }: Around): PresentedAlert => ({
  alertId: row.id,
  studentId: row.studentId,
  classId: situation?.enrollment?.classId ?? null,
  kind: row.kind,
  severity: row.severity,
  state: row.state,
  ruleId: row.ruleId,
  subSkillCode: row.subSkillCode,
  domainCode: row.domainCode,
  openedAt: row.openedAt,
  dueAt: row.dueAt,
  // A process of the version before leaves the day in its place.
  dueOn: row.state === 'open' ? row.dueOn : null,
  stage: shownStage(row.stage),
  acknowledgedAt: row.acknowledgedAt,
  ackOverdue: isOverdue(row, now),
  dismissedAt: row.dismissedAt,
  dismissalCode: row.dismissalCode,
  expiresOn: row.expiresOn,
  closedAt: row.closedAt,
  closeReason: row.closeReason,
  ruleVersion: `rti/alerts@${row.ruleVersions['rti/alerts'] ?? 0}`,
  clearsWhen: clearsWhen(row, situation, rules),
});

function clearsWhen(row: RtiAlert, situation: RtiSituation | undefined, rules: RtiRules): PresentedAlert['clearsWhen'] {
  if (!situation) return null;
  const { alertFacts, calendar, today } = situation;
  const found = rules.clearsWhen(alertState(row), alertFacts, calendar, today);
  return found && { from: [...found.from], earliestOn: found.earliestOn };
}

const isOverdue = ({ state, dueAt, acknowledgedAt }: RtiAlert, now: Date): boolean =>
  state === 'open' && acknowledgedAt === null && dueAt !== null && now.getTime() > Date.parse(dueAt);

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

/** The number of statements does not depend on the number of alerts. */
export async function presentAlerts(
  { services, trx, now }: Asked,
  organizationId: string,
  rows: readonly RtiAlert[],
): Promise<PresentedAlert[]> {
  const studentIds = [...new Set(rows.map(({ studentId }) => studentId))];
  const { situations, rules } = await rtiSituationsOf(trx, services, { organizationId, studentIds, now });
  return rows.map((row) => presentRtiAlert(row, { situation: situations.get(row.studentId), rules, now }));
}
