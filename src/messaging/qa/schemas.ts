// Schemas of the registry of checks and of the alert log.
import Type, { type Static } from 'typebox';
import { Count, IntegerId, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { alertSeverities } from '#core/module/alerts.ts';
import { checkKinds } from './probes/probe.ts';

const CheckIdText = Type.String({ maxLength: 64, pattern: '^[A-Z][A-Z0-9_]{1,63}$' });
const word = Type.String({ maxLength: 64, pattern: '^[a-z][a-z0-9_]{1,63}$' });

export const checkFields = {
  qaCheckId: CheckIdText,
  titleEn: Type.String({ minLength: 1, maxLength: 200 }),
  severity: oneOf(alertSeverities),
  kind: oneOf(checkKinds),
  subject: word,
  probe: word,
  threshold: nullable(
    Type.Integer({ minimum: 1, maximum: 2_678_400, description: 'Seconds; null where nothing is waited for' }),
  ),
  enabled: Type.Boolean(),
};
const QaCheckView = named('QaCheck', object(checkFields));

export const CheckQuery = object(pageQuery);
export const CheckList = object({
  ruleVersion: Type.String(),
  items: Type.Array(QaCheckView),
  nextCursor: nullable(Type.String()),
});

export const QaAlertQuery = object({
  severity: Type.Optional(oneOf(alertSeverities)),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  /** An unknown id finds nothing. */
  qaCheckId: Type.Optional(Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_.-]{1,64}$' })),
  ...pageQuery,
});
export type QaAlertQuery = Static<typeof QaAlertQuery>;

export const AlertPage = page(
  named(
    'QaAlert',
    object({
      alertId: IntegerId,
      qaCheckId: CheckIdText,
      severity: oneOf(alertSeverities),
      organizationId: nullable(Type.String()),
      /** Null for rows from before subjects were stored. */
      subject: nullable(object({ type: Type.String(), id: Type.String() })),
      studentId: nullable(IntegerId),
      at: Timestamp,
      ruleVersion: nullable(Type.String()),
    }),
  ),
);

export const QaAuditView = named(
  'QaAuditSummary',
  object({
    /** Time of the oldest result in the sums; null before the first. */
    asOf: nullable(Timestamp),
    pending: Type.Boolean(),
    ruleVersion: Type.String(),
    checks: Type.Array(
      object({
        qaCheckId: CheckIdText,
        severity: oneOf(alertSeverities),
        /** Null: not counted yet. */
        violations: nullable(Count),
      }),
    ),
  }),
);
