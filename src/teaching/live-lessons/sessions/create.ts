// A live session is made for a class, empty or from a session that was prepared for it (LVS-01).
import type { Static } from 'typebox';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type ClassInScope, classInReach, enterOrganization } from '#identity/people/index.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import { type LiveSource, sessionForLive } from '../../lessons/index.ts';
import type { Call, CallWith } from '../call.ts';
import { inTaughtOrder } from '../engine/order.ts';
import { takeJoinCode } from '../rows/codes.ts';
import { addPlaylist } from '../rows/playlist.ts';
import { LiveSessionRow } from '../rows/session.ts';
import type { CreationBody } from './schemas.ts';

type Body = Static<typeof CreationBody>;

const ownClass = classInReach(['TEACHER']);

/** NOT_FOUND, PERMISSION_DENIED; DEMO_READ_ONLY; VALIDATION_ERROR `other_class`; CONFLICT `invalid_transition`. */
export async function createLive(call: CallWith<Body>): Promise<LiveSessionRow> {
  const { row: place } = await ownClass.resolve({ ...call, params: { id: String(call.body.classId) } });
  const prepared = await preparedFor(call, place);
  await enterOrganization(call, place.organizationId);
  if (prepared) requireTeachable(prepared, place);
  const row = await newRow(call, place, prepared);
  row.joinCode = await takeJoinCode(call.trx, row);
  await LiveSessionRow.query(call.trx).insert(row);
  if (prepared && row.playlistNo > 0) {
    await addPlaylist(call.trx, row, prepared.row.blueprintId, itemsOf(prepared), call.now);
  }
  return row;
}

async function preparedFor(
  { trx, body: { sessionId } }: CallWith<Body>,
  { organizationId }: ClassInScope,
): Promise<LiveSource | undefined> {
  if (sessionId === undefined) return undefined;
  const found = await sessionForLive(trx, organizationId, sessionId);
  if (!found) throw notFound();
  return found;
}

function requireTeachable({ row }: LiveSource, place: ClassInScope): void {
  if (row.classId !== place.id) throw invalid('sessionId', 'other_class');
  if (row.state === 'accepted' || row.state === 'distributed') return;
  throw conflict('invalid_transition', `A session that is ${row.state} cannot be taught.`, 'sessionId');
}

const itemsOf = ({ segments, items }: LiveSource) => inTaughtOrder(segments, items);

async function newRow(
  { services, trx, actor, now }: Call,
  { id: classId, organizationId, timeZone }: ClassInScope,
  prepared: LiveSource | undefined,
): Promise<LiveSessionRow> {
  const { name: schoolYear } = await yearOfDay(services, trx, localDate(now, timeZone), now);
  const itemRefs = prepared ? itemsOf(prepared).map(({ itemRef }) => itemRef) : [];
  return Object.assign(new LiveSessionRow(), {
    ...{ id: newId(), organizationId, schoolYear, timeZone, classId, sessionId: prepared?.row.id ?? null },
    ...{ bundleId: prepared?.row.bundleId ?? null, stepNo: prepared?.row.stepNo ?? null },
    ...{ state: 'draft' as const, joinCode: '', controlVersion: 0 },
    ...{ playlistNo: itemRefs.length > 0 ? 1 : 0, itemRefs, currentItemRef: null, responsesLocked: false },
    ...{ createdBy: actor.userId, createdAt: now.toISOString(), startedAt: null, endedAt: null },
  });
}
