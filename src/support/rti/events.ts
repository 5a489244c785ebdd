// Events of tiers, alerts and skill states.

import Type from 'typebox';
import { CalendarDate, IntegerId, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { eventKind, type NewEvent, newEvent, TextId } from '#core/module/events.ts';
import { mostIntensiveTier } from '../interventions/index.ts';
import { shownStages } from './engine/due/due-days.ts';
import { closeReasons, rtiAlertKinds, skillStates } from './engine/vocabulary.ts';
import type { RtiAlert } from './rows/alerts.ts';

const Tier = Type.Integer({ minimum: 1, maximum: mostIntensiveTier });
const ofAlert = { studentId: IntegerId, alertId: TextId, kind: oneOf(rtiAlertKinds) };

export const alertOpened = eventKind({
  topic: 'rti.alert_opened',
  summary:
    'An alert of a student has opened, or one that was dismissed is open again. `dueAt` where a teacher has to acknowledge it by then.',
  payload: object({
    ...{ ...ofAlert, subSkillCode: nullable(Type.String()), dueAt: nullable(Timestamp) },
    /** Absent under rules without due days. */
    isFollowed: Type.Optional(Type.Literal(true)),
  }),
});

/** Who is told that a stage has come. */
export const stageAudiences = ['teachers', 'principals', 'admins'] as const;

export const alertStageCame = eventKind({
  topic: 'rti.alert_stage_came',
  summary:
    'An open alert is due or overdue: once for each stage and audience since its days are counted. Raised with the row that says so.',
  payload: object({
    ...{ ...ofAlert, subSkillCode: nullable(Type.String()), dueAt: nullable(Timestamp) },
    ...{ stage: oneOf(shownStages), to: oneOf(stageAudiences) },
  }),
});

const alertDismissed = eventKind({
  topic: 'rti.alert_dismissed',
  summary: 'A person has put an alert aside for a while.',
  payload: object({ ...ofAlert, expiresOn: CalendarDate }),
});

export const dismissalExpiring = eventKind({
  topic: 'rti.dismissal_expiring',
  summary:
    'In a few days an alert that was dismissed is looked at again: once each time that it was dismissed, and not while the student is halted or has no profile.',
  payload: object({ ...ofAlert, expiresOn: CalendarDate }),
});

const alertClosed = eventKind({
  topic: 'rti.alert_closed',
  summary: 'An alert of a student is closed for good.',
  payload: object({ ...ofAlert, closeReason: oneOf(closeReasons) }),
});

export const tierMoved = eventKind({
  topic: 'rti.tier_moved',
  summary: 'People have moved a student to another tier of support.',
  payload: object({ studentId: IntegerId, movementId: IntegerId, fromTier: Tier, toTier: Tier }),
});

export const skillStateUp = eventKind({
  topic: 'subskill.state_up',
  summary:
    'What is known of a sub-skill over time has become better. Nothing is raised for a first status, nor while the student is halted.',
  payload: object({
    ...{ studentId: IntegerId, skillStateId: IntegerId, snapshotId: IntegerId, subSkillCode: Type.String() },
    ...{ from: oneOf(skillStates), to: oneOf(skillStates) },
  }),
});

export const rtiEvents = [
  alertOpened,
  alertStageCame,
  alertDismissed,
  dismissalExpiring,
  alertClosed,
  tierMoved,
  skillStateUp,
] as const;

const idsOf = ({ studentId, id, kind }: RtiAlert) => ({ studentId, alertId: id, kind });

export const opening = (row: RtiAlert): NewEvent =>
  newEvent(alertOpened, row.organizationId, {
    ...{ ...idsOf(row), subSkillCode: row.subSkillCode, dueAt: row.dueAt },
    ...(row.dueFrom !== null && { isFollowed: true as const }),
  });

export const closing = (row: RtiAlert, closeReason: (typeof closeReasons)[number]): NewEvent =>
  newEvent(alertClosed, row.organizationId, { ...idsOf(row), closeReason });

export const dismissal = (row: RtiAlert, expiresOn: string): NewEvent =>
  newEvent(alertDismissed, row.organizationId, { ...idsOf(row), expiresOn });

export const expiring = (row: RtiAlert, expiresOn: string): NewEvent =>
  newEvent(dismissalExpiring, row.organizationId, { ...idsOf(row), expiresOn });
