// Many students of an organization, new rules for them, and the pieces in which they are recomputed.

import { orderRecomputes } from '#backoffice/workbench/activation/recompute.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { appendActivation, lockActivations } from '#rules/rulesets/index.ts';
import { installVersion, nextVersion } from '../backoffice/workbench/backoffice.ts';

interface Place {
  readonly organizationId: string;
  readonly classId: number;
  readonly count: number;
}

/** Students who have been evaluated and have no measurements. */
export const buildStudents = (owner: Db, place: Place) =>
  inContext(owner, 'SUPER', (trx) =>
    trx.raw(
      `with person as (
         insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
         select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', now()
         from generate_series(1, :count::integer) returning id),
       placed as (
         insert into enrollment (organization_id, student_id, class_id, enrolled_from)
         select :organizationId, id, :classId, '2026-09-01' from person)
       insert into sse_recompute_request (organization_id, student_id, requested_seq, processed_seq, trigger, requested_at)
       select :organizationId, id, 1, 1, 'admin', now() from person`,
      { ...place },
    ),
  );

/** Puts a new version of one document into force. Returns the id of the bundle. */
export async function activateInPieces(owner: Db, pieceSize: number): Promise<string> {
  await installVersion(owner, await nextVersion(owner, 'rbm/rbm', { 'RBM-STREAK': 5 }));
  return inContext(owner, 'SUPER', async (trx) => {
    const timeline = await lockActivations(trx, { now: () => new Date() });
    const versions = { ...timeline.current, 'rbm/rbm': 2 };
    const entry = { versions, kind: 'activate', reason: 'policy_change', activatedBy: null, approvedBy: [] } as const;
    const { activationId, bundleId } = await appendActivation(trx, entry, timeline);
    const occasion = { subject: String(activationId), changed: ['rbm/rbm'], userId: null };
    await orderRecomputes(trx, occasion, timeline.moment, pieceSize);
    return bundleId;
  });
}

interface Piece {
  readonly id: string;
  readonly state: string;
  readonly done: number;
  readonly total: number;
  readonly heldUntil: string | null;
}

export const pieces = (owner: Db): Promise<Piece[]> =>
  inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ kind: 'recompute' }).orderBy('id').select('*'));
