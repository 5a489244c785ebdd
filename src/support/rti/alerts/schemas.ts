// Schemas of alerts.
import Type from 'typebox';
import {
  CalendarDate,
  Cuid,
  IntegerId,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { shownStages } from '../engine/due/due-days.ts';
import { alertStates, closeReasons, rtiAlertKinds } from '../engine/vocabulary.ts';

const FactValue = Type.Union([Type.Boolean(), Type.Integer(), Type.String()]);

/** The smallest sufficient new evidence, and the first school day for it; null when no evidence suffices. */
const ClearsWhen = named(
  'AlertClearsWhen',
  object({
    from: Type.Array(object({ fact: Type.String(), is: FactValue, would: FactValue })),
    earliestOn: nullable(CalendarDate),
  }),
);

export const AlertView = named(
  'RtiAlert',
  object({
    alertId: Cuid,
    studentId: IntegerId,
    classId: nullable(IntegerId),
    kind: oneOf(rtiAlertKinds),
    severity: Type.Integer({ minimum: 1 }),
    state: oneOf(alertStates),
    ruleId: Type.String(),
    subSkillCode: nullable(Type.String()),
    domainCode: nullable(Type.String()),
    openedAt: Timestamp,
    dueAt: nullable(Timestamp),
    /** Null unless open, and while a packet or a new plan of the student is under way. */
    dueOn: nullable(CalendarDate),
    stage: oneOf(shownStages),
    acknowledgedAt: nullable(Timestamp),
    ackOverdue: Type.Boolean(),
    dismissedAt: nullable(Timestamp),
    dismissalCode: nullable(Type.String()),
    expiresOn: nullable(CalendarDate),
    closedAt: nullable(Timestamp),
    closeReason: nullable(oneOf(closeReasons)),
    ruleVersion: Type.String(),
    clearsWhen: nullable(ClearsWhen),
  }),
);

export const RtiAlertList = page(AlertView);
export const StudentAlertQuery = object({ ...pageQuery, state: Type.Optional(oneOf(alertStates)) });
export const ClassAlertQuery = object({ ...pageQuery, kind: Type.Optional(oneOf(rtiAlertKinds)) });

export const alertParams = object({ alertId: Cuid });
export const DismissBody = named(
  'DismissRtiAlert',
  object({ overrideCode: Type.String({ minLength: 1, maxLength: 64 }) }),
);
