// Lists of alerts: those of a student, newest first; the open ones of a class, most severe first, then oldest first.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { Enrollment } from '#identity/people/index.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { type PresentedAlert, presentAlerts } from './present.ts';
import type { ClassAlertQuery, StudentAlertQuery } from './schemas.ts';

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

interface InOrganization {
  readonly organizationId: string;
  readonly id: number;
}

export async function studentAlerts(
  asked: Asked,
  { organizationId, id: studentId }: InOrganization,
  { state, limit = defaultLimit, cursor }: Static<typeof StudentAlertQuery>,
): Promise<Page<PresentedAlert>> {
  const query = RtiAlert.query(asked.trx)
    .where({ organizationId, studentId, ...(state && { state }) })
    .orderBy([
      { column: 'openedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(opened_at, id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  return presented(asked, organizationId, await query, limit, ({ openedAt, id }) => [openedAt, id]);
}

/** For students who are in the class today. */
export async function classAlerts(
  asked: Asked,
  ofClass: InOrganization,
  { kind, limit = defaultLimit, cursor }: Static<typeof ClassAlertQuery>,
): Promise<Page<PresentedAlert>> {
  const { organizationId } = ofClass;
  const query = openInClass(asked.trx, ofClass)
    .where({ ...(kind && { kind }) })
    .orderBy([{ column: 'severity', order: 'desc' }, 'openedAt', 'id'])
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['count', 'instant', 'string']);
  if (after) {
    query.whereRaw('(-severity, opened_at, id) > (?::integer, ?::timestamptz, ?)', [
      -Number(after[0]),
      String(after[1]),
      String(after[2]),
    ]);
  }
  const key = ({ severity, openedAt, id }: RtiAlert) => [severity, openedAt, id];
  return presented(asked, organizationId, await query, limit, key);
}

async function presented(
  asked: Asked,
  organizationId: string,
  rows: readonly RtiAlert[],
  limit: number,
  key: (row: RtiAlert) => (string | number)[],
): Promise<Page<PresentedAlert>> {
  const { items, nextCursor } = pageOf(rows, limit, key, (row) => row);
  return { items: await presentAlerts(asked, organizationId, items), nextCursor };
}

/** Open alerts of students who are in the class today. */
export const countOpenAlerts = (trx: Trx, ofClass: InOrganization): Promise<number> =>
  openInClass(trx, ofClass).resultSize();

const openInClass = (trx: Trx, { organizationId, id: classId }: InOrganization) =>
  RtiAlert.query(trx)
    .where({ organizationId, state: 'open' })
    .whereIn(
      'studentId',
      Enrollment.query(trx).where({ organizationId, classId }).whereNull('enrolledTo').select('studentId'),
    );
