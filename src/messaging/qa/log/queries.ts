// The alert log for operators: findings of checks, newest first.
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import type { QaAlertQuery } from '../schemas.ts';

interface AlertRow {
  readonly id: number;
  readonly organizationId: string | null;
  readonly code: string;
  readonly severity: 'critical' | 'high' | 'medium' | 'low';
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly studentId: number | null;
  readonly at: string;
  readonly ruleVersion: string | null;
}

/**
 * Rows of one organization, or of all and the platform: those that the transaction sees. Throws VALIDATION_ERROR for an
 * empty period.
 */
export async function listQaAlerts(
  trx: Trx,
  organizationId: string | null,
  { severity, from, to, qaCheckId, limit = defaultLimit, cursor }: QaAlertQuery,
): Promise<Page<ReturnType<typeof presentAlert>>> {
  if (from !== undefined && to !== undefined && from >= to) throw invalid('to', 'must be later than from');
  const query = trx('platform_alert as a')
    .where('a.kind', 'qa')
    .orderBy([
      { column: 'a.at', order: 'desc' },
      { column: 'a.id', order: 'desc' },
    ])
    .limit(limit + 1)
    .select('a.id', 'a.organizationId', 'a.code', 'a.severity', 'a.subjectType', 'a.subjectId', 'a.studentId', 'a.at')
    .select('a.ruleVersion');
  if (organizationId !== null) query.where('a.organizationId', organizationId);
  if (severity) query.where('a.severity', severity);
  if (qaCheckId) query.where('a.code', qaCheckId);
  if (from) query.where('a.at', '>=', from);
  if (to) query.where('a.at', '<', to);
  const after = keyInCursor(cursor, ['instant', 'number']);
  if (after) query.whereRaw('(a.at, a.id) < (?::timestamptz, ?)', [String(after[0]), Number(after[1])]);
  const rows: AlertRow[] = await query;
  return pageOf(rows, limit, ({ at, id }) => [at, id], presentAlert);
}

const presentAlert = ({ id, code, severity, organizationId, subjectType, subjectId, ...row }: AlertRow) => ({
  alertId: id,
  qaCheckId: code,
  severity,
  organizationId,
  subject: subjectType === null || subjectId === null ? null : { type: subjectType, id: subjectId },
  studentId: row.studentId,
  at: row.at,
  ruleVersion: row.ruleVersion,
});
