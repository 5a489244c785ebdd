// Alerts for the people who run the service or teach a class: the single writer of the alert log, and the kinds of alerts,
// which capabilities declare as values.
import type { Trx } from '../platform/db.ts';

/** In descending order of severity. */
export const alertSeverities = ['critical', 'high', 'medium', 'low'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];
export const alertKinds = ['qa', 'sub_flag'] as const;

export interface AlertKind {
  readonly kind: (typeof alertKinds)[number];
  /** Null if each alert brings its own code and severity. */
  readonly code: string | null;
  /** The severity of a check of kind `qa` until a document in force states another one. */
  readonly severity: AlertSeverity | null;
  /** The type of the subject of an alert: `student`, `event`. */
  readonly subject: string;
  /** One sentence that says when the alert opens. */
  readonly summary: string;
}

export interface NewAlert {
  /** The organization of the platform for alerts that concern all organizations; the transaction must be in its context. */
  readonly organizationId: string;
  readonly subjectId: string | number;
  /** The key under which at most one alert opens. Default: code, subject and hour (UTC). */
  readonly once?: string;
  readonly details: object;
  readonly at: Date | string;
  /** Further columns: the student, the version of a document, and what a rule document states. */
  readonly about?: Readonly<Record<string, string | number | null>>;
}

/** Opens one alert, as `openAlerts` does. */
export const openAlert = (trx: Trx, kind: AlertKind, alert: NewAlert): Promise<void> => openAlerts(trx, kind, [alert]);

/**
 * Opens alerts in one statement. The checks in force decide the severity of a `qa` alert and whether it opens at all: one of
 * severity `low` is logged and not stored, one of severity `high` or `critical` is announced as well, both after the
 * transaction.
 */
export async function openAlerts(trx: Trx, kind: AlertKind, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  await trx.raw(opening, { kind: kind.kind, alerts: JSON.stringify(alerts.map((alert) => toRow(kind, alert))) });
}

function toRow({ code, severity, subject }: AlertKind, alert: NewAlert) {
  const { organizationId, subjectId, details, at, about } = alert;
  const alertCode = String(about?.code ?? code);
  const hour = new Date(at).toISOString().slice(0, 13);
  return {
    organization_id: organizationId,
    severity,
    ...about,
    code: alertCode,
    subject_type: subject,
    subject_id: String(subjectId),
    dedupe_key: alert.once ?? `${alertCode} ${subject} ${subjectId} ${hour}`,
    details,
    at,
  };
}

const opening = `
  with requested as (
    select a.*, coalesce(c.severity, a.severity) as final_severity, coalesce(c.enabled, true) as enabled,
      coalesce(a."ruleVersion", c.rule_version) as final_version
    from jsonb_to_recordset(:alerts::jsonb) as a (organization_id text, code text, severity text, "studentId" bigint,
      subject_type text, subject_id text, dedupe_key text, details jsonb, at timestamptz, "ruleVersion" text)
    left join lateral qa_check_at(a.code, a.at) c on :kind = 'qa'),
  opened as (
    insert into platform_alert (organization_id, kind, code, severity, student_id, subject_type, subject_id, dedupe_key,
      details, at, rule_version)
    select organization_id, :kind, code, final_severity, "studentId", subject_type, subject_id, dedupe_key, details, at,
      final_version
    from requested where enabled and (:kind <> 'qa' or final_severity <> 'low')
    on conflict do nothing
    returning organization_id, id, kind, code, severity, subject_type, subject_id)
  insert into alert_announcement (organization_id, code, severity, alert_id, subject_type, subject_id)
  select organization_id, code, severity, id, subject_type, subject_id from opened where kind = 'qa' and severity in ('critical', 'high')
  union all
  select organization_id, code, final_severity, null, subject_type, subject_id from requested
  where enabled and :kind = 'qa' and final_severity = 'low'`;
