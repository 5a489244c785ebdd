// The single writer of alerts, which appends the events of each change. The caller holds the lock of the student's support.
import { appendEvents } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import type { SchoolCalendar } from '../../interventions/index.ts';
import type { AlertTransition } from '../engine/alerts/alert.ts';
import type { RtiRules } from '../engine/compiled.ts';
import { type DueState, followedState, undueState } from '../engine/due/follow.ts';
import { type CloseReason, severityOf, type TierDecision } from '../engine/vocabulary.ts';
import { closing, opening } from '../events.ts';
import { RtiAlert } from '../rows/alerts.ts';

/** The time and local date of a change of a student's alerts. */
export interface AlertMoment {
  readonly now: Date;
  /** Local date of the student. */
  readonly today: string;
}

/** The data stored with an alert that opens. */
export interface Opened extends AlertMoment {
  readonly organizationId: string;
  readonly studentId: number;
  /** The input of the evaluation. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly rules: RtiRules;
  readonly calendar: SchoolCalendar;
  /** Whether a packet of the student is under review or deferred. */
  readonly isHeld: boolean;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

type Opening = Extract<AlertTransition, { readonly type: 'open' }>;

export async function openRtiAlert(
  trx: Trx,
  { kind, ruleId, subSkillCode, spent }: Opening,
  at: Opened,
): Promise<RtiAlert> {
  const { organizationId, studentId, rules } = at;
  const row = Object.assign(new RtiAlert(), {
    ...{ id: newId(), organizationId, studentId, kind, severity: severityOf(kind), ruleId, subSkillCode },
    domainCode: subSkillCode === null ? null : (rules.skills.catalogue.byCode.get(subSkillCode)?.domain ?? null),
    ...{ acuteSnapshotId: spent.snapshotId, acuteSignalId: spent.signalId },
    ...{ dismissedAt: null, dismissedBy: null, dismissalCode: null, expiryTold: false },
    ...{ closedAt: null, closedOn: null, closeReason: null, closingDecision: null },
    ...openNow(kind, at),
  });
  await RtiAlert.query(trx).insert(row);
  await appendEvents(trx, at.now, [opening(row)]);
  return row;
}

/** ALT-09: opens the same row again, with the present time. */
export async function reopenAlert(trx: Trx, row: RtiAlert, at: Opened): Promise<RtiAlert> {
  const after = await changeAlert(trx, row, openNow(row.kind, at));
  await appendEvents(trx, at.now, [opening(after)]);
  return after;
}

const openNow = (kind: RtiAlert['kind'], at: Opened) => ({
  ...openedNow(kind, at),
  ...dueWhenOpened(kind, at),
});

/** The stages begin anew. */
const dueWhenOpened = (kind: RtiAlert['kind'], { today, rules, calendar, isHeld }: Opened): DueState => {
  const days = rules.settings.due?.[kind];
  if (days === undefined) return undueState;
  return followedState({ state: undueState, from: today, days, isHeld, calendar, today });
};

const openedNow = (kind: RtiAlert['kind'], { now, today, input, rules, ruleVersions }: Opened) => ({
  ...{ state: 'open' as const, openedAt: now.toISOString(), openedOn: today, expiresOn: null },
  dueAt:
    kind === 'tier_review_due'
      ? new Date(now.getTime() + rules.settings.acknowledgeHours * hourMs).toISOString()
      : null,
  ...{ acknowledgedAt: null, acknowledgedBy: null, opened: input, ruleVersions },
});

/** `decision`: the decision that closes it. */
export async function closeAlert(
  trx: Trx,
  row: RtiAlert,
  closeReason: CloseReason,
  { now, today }: AlertMoment,
  decision: TierDecision | null = null,
): Promise<RtiAlert> {
  const after = await changeAlert(trx, row, {
    ...{ state: 'closed', expiresOn: null, dueOn: null, closedAt: now.toISOString(), closedOn: today },
    ...{ closeReason, closingDecision: decision },
  });
  await appendEvents(trx, now, [closing(after, closeReason)]);
  return after;
}

/** Returns the row after the change. */
export async function changeAlert(trx: Trx, row: RtiAlert, change: Partial<RtiAlert>): Promise<RtiAlert> {
  const { organizationId, id } = row;
  await RtiAlert.query(trx).where({ organizationId, id }).patch(change);
  return Object.assign(new RtiAlert(), row, change);
}
