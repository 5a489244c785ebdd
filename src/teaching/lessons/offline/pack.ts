// The offline pack of a lesson for a teacher's device. Its version depends on the content alone.
import type { Static } from 'typebox';
import type { Disclosure } from '#core/http/answers.ts';
import type { Trx } from '#core/platform/db.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { User } from '#identity/people/index.ts';
import { firstNameAr } from '#rules/language/index.ts';
import { lessonContentOf } from '../content/content.ts';
import { includedIds, type LessonRow, recipientsOf } from '../rows/store.ts';
import { requireAcceptedCall } from '../rows/transitions.ts';
import { packExpiresAt } from './deadline.ts';
import type { OfflinePack } from './schemas.ts';

interface PackContext {
  readonly trx: Trx;
  readonly now: Date;
}

/** The disclosure that is recorded when a pack is fetched, as JSON or as PDF. */
export const packDisclosure = ({ organizationId, id }: LessonRow): Disclosure => ({
  document: 'pack',
  id,
  organizationId,
});

/** Throws CONFLICT unless the lesson is accepted or distributed. */
export async function offlinePack({ trx, now }: PackContext, row: LessonRow): Promise<Static<typeof OfflinePack>> {
  requireAcceptedCall('offline', row);
  const { segments, items } = await lessonContentOf(trx, row);
  const included = includedIds(await recipientsOf(trx, row));
  const recipients = await firstNamesOf(trx, row.organizationId, included);
  const content = { sessionId: row.id, recipients, segments: [...segments], items: [...items] };
  return { ...content, version: sha256Hex(canonicalJson(content)), expiresAt: packExpiresAt(now).toISOString() };
}

interface StudentFirstName {
  readonly studentId: number;
  readonly firstNameAr: string;
}

/** Returns students ordered by id; the name of an erased student is empty. */
async function firstNamesOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<StudentFirstName[]> {
  const rows = await User.query(trx)
    .where({ organizationId })
    .whereIn('id', [...studentIds])
    .orderBy('id')
    .select('id', 'fullNameAr');
  return rows.map(({ id, fullNameAr }) => ({ studentId: id, firstNameAr: firstNameAr(fullNameAr ?? '', 'staff') }));
}
