// What a capability tells the people who run the service, or a class's teachers: one door to the alert log, and the kinds
// that may come through it as values, which capabilities list.
import type { Trx } from '../platform/db.ts';

/** Worst first. */
export const alertSeverities = ['critical', 'high', 'medium', 'low'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];
export const alertKinds = ['qa', 'sub_flag'] as const;

export interface AlertKind {
  readonly kind: (typeof alertKinds)[number];
  /** Null: code and severity come with each alert. */
  readonly code: string | null;
  /** Of a `qa` kind that is a check: as long as no document in force says another one. */
  readonly severity: AlertSeverity | null;
  /** What an alert is about: `student`, `event`. */
  readonly subject: string;
  /** When it opens. */
  readonly summary: string;
}

export interface NewAlert {
  /** The platform's own for what concerns everybody; the transaction has to be in its context. */
  readonly organizationId: string;
  readonly subjectId: string | number;
  /** What it is opened once for. Default: its kind, its subject and the hour (UTC). */
  readonly once?: string;
  readonly details: object;
  readonly at: Date | string;
  /** Further columns: whom it is about, by which version of a document, and what a rule document says. */
  readonly about?: Readonly<Record<string, string | number | null>>;
}

/** As `openAlerts`, one. */
export const openAlert = (trx: Trx, kind: AlertKind, alert: NewAlert): Promise<void> => openAlerts(trx, kind, [alert]);

/**
 * In one statement, however many. The checks in force say how grave a `qa` alert is and whether it is told at all: one that
 * is low is a line of the log and no row, one that is high or critical is announced as well, both after the transaction.
 */
export async function openAlerts(trx: Trx, kind: AlertKind, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  await trx.raw(opening, { kind: kind.kind, alerts: JSON.stringify(alerts.map((alert) => rowOf(kind, alert))) });
}

function rowOf({ code, severity, subject }: AlertKind, alert: NewAlert) {
  const { organizationId, subjectId, details, at, about } = alert;
  const named = String(about?.code ?? code);
  const hour = new Date(at).toISOString().slice(0, 13);
  return {
    organization_id: organizationId,
    severity,
    ...about,
    code: named,
    subject_type: subject,
    subject_id: String(subjectId),
    dedupe_key: alert.once ?? `${named} ${subject} ${subjectId} ${hour}`,
    details,
    at,
  };
}

const opening = `
  with asked as (
    select a.*, coalesce(c.severity, a.severity) as grave, coalesce(c.enabled, true) as enabled,
      coalesce(a."ruleVersion", c.rule_version) as said_by
    from jsonb_to_recordset(:alerts::jsonb) as a (organization_id text, code text, severity text, "studentId" bigint,
      subject_type text, subject_id text, dedupe_key text, details jsonb, at timestamptz, "ruleVersion" text)
    left join lateral qa_check_at(a.code, a.at) c on :kind = 'qa'),
  opened as (
    insert into platform_alert (organization_id, kind, code, severity, student_id, subject_type, subject_id, dedupe_key,
      details, at, rule_version)
    select organization_id, :kind, code, grave, "studentId", subject_type, subject_id, dedupe_key, details, at, said_by
    from asked where enabled and (:kind <> 'qa' or grave <> 'low')
    on conflict do nothing
    returning organization_id, id, kind, code, severity, subject_type, subject_id)
  insert into alert_announcement (organization_id, code, severity, alert_id, subject_type, subject_id)
  select organization_id, code, severity, id, subject_type, subject_id from opened where kind = 'qa' and severity in ('critical', 'high')
  union all
  select organization_id, code, grave, null, subject_type, subject_id from asked where enabled and :kind = 'qa' and grave = 'low'`;
