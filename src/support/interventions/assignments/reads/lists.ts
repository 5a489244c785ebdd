// Lists of assignments of a student and of a class, newest activation first.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { BundleAssignment } from '../../assignment-rows/store.ts';
import { interventionRules } from '../../rules/compiled.ts';
import type { AssignmentView, ClassAssignmentQuery, StudentAssignmentQuery } from './schemas.ts';
import { assignmentViews } from './views.ts';

type Views = Page<Static<typeof AssignmentView>>;

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

export const studentAssignments = (
  asked: Asked,
  { organizationId, id: studentId }: { readonly organizationId: string; readonly id: number },
  query: Static<typeof StudentAssignmentQuery>,
): Promise<Views> => pageWhere(asked, { organizationId, studentId }, query);

/** Throws VALIDATION_ERROR for a bundle that no version of the catalogue has. */
export async function classAssignments(
  asked: Asked,
  { organizationId, id: classId }: { readonly organizationId: string; readonly id: number },
  { bundle_id, trackStatus, ...query }: Static<typeof ClassAssignmentQuery>,
): Promise<Views> {
  if (bundle_id !== undefined) await requireBundle(asked, bundle_id);
  const named = { ...(bundle_id !== undefined && { bundleId: bundle_id }), ...(trackStatus && { trackStatus }) };
  return pageWhere(asked, { organizationId, classId, ...named }, query);
}

async function requireBundle({ services, trx, now }: Asked, bundleId: string): Promise<void> {
  const { catalogue } = interventionRules((await services.rules.at(trx, now)).rules).recommendation;
  if (!catalogue.byId.has(bundleId)) throw invalid('bundle_id', 'unknown_bundle');
}

async function pageWhere(
  { services, trx, now }: Asked,
  where: Partial<BundleAssignment>,
  { state, limit = defaultLimit, cursor }: Static<typeof StudentAssignmentQuery>,
): Promise<Views> {
  const query = BundleAssignment.query(trx)
    .where({ ...where, ...(state && { state }) })
    .orderBy([
      { column: 'activatedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(activated_at, id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  const { items: rows, nextCursor } = pageOf(
    await query,
    limit,
    ({ activatedAt, id }) => [activatedAt, id],
    (row) => row,
  );
  return { items: await assignmentViews(services, trx, rows, now), nextCursor };
}
