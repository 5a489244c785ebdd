// The platform alert log as a class's teachers read it: what is critical, and error patterns that persist.

import { readCode } from '#assessment/error-patterns/index.ts';
import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { Enrollment } from '#identity/people/index.ts';

interface AlertRow {
  readonly id: number;
  readonly kind: 'qa' | 'sub_flag';
  readonly code: string;
  readonly severity: 'critical' | 'high' | 'medium' | 'low';
  readonly studentId: number;
  readonly at: string;
}

/** Returns alerts about the students who are in the class today, newest first. */
export async function listClassAlerts(
  trx: Trx,
  { id: classId, organizationId }: { readonly id: number; readonly organizationId: string },
  { limit = defaultLimit, cursor }: PageQuery,
): Promise<Page<ReturnType<typeof presentAlert>>> {
  const query = trx('platform_alert as a')
    .where('a.organizationId', organizationId)
    .where((either) => either.where('a.kind', 'sub_flag').orWhere('a.severity', 'critical'))
    .whereIn(
      'a.studentId',
      Enrollment.query(trx).select('studentId').where({ classId }).whereNull('enrolledTo').toKnexQuery(),
    )
    .orderBy([
      { column: 'a.at', order: 'desc' },
      { column: 'a.id', order: 'desc' },
    ])
    .limit(limit + 1)
    .select('a.id', 'a.kind', 'a.code', 'a.severity', 'a.studentId', 'a.at');
  const after = keyInCursor(cursor, ['instant', 'number']);
  if (after) query.whereRaw('(a.at, a.id) < (?::timestamptz, ?)', [String(after[0]), Number(after[1])]);
  const rows: AlertRow[] = await query;
  return pageOf(rows, limit, ({ at, id }) => [at, id], presentAlert);
}

const presentAlert = ({ id, kind, code, severity, studentId, at }: AlertRow) => ({
  alertId: id,
  kind,
  code: kind === 'sub_flag' ? readCode(code) : code,
  severity,
  studentId,
  at,
});
