// Creation of a live lesson for a class, empty or for a lesson of the class (LVS-01).
import type { Static } from 'typebox';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type ClassInScope, classInReach, enterOrganization } from '#identity/people/index.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import { type LiveSource, lessonForLive } from '../../lessons/index.ts';
import type { CallWith, LiveLessonCall } from '../call.ts';
import { inLessonOrder } from '../engine/item-order.ts';
import { reserveJoinCode } from '../rows/codes.ts';
import { LiveLessonRow } from '../rows/live-lesson.ts';
import { addPlaylist } from '../rows/playlist.ts';
import type { LiveLessonCreationBody } from './schemas.ts';

type Body = Static<typeof LiveLessonCreationBody>;

const ownClass = classInReach(['TEACHER']);

/** Throws NOT_FOUND, PERMISSION_DENIED, DEMO_READ_ONLY, VALIDATION_ERROR `other_class`, CONFLICT `invalid_transition`. */
export async function createLive(call: CallWith<Body>): Promise<LiveLessonRow> {
  const { row: classRow } = await ownClass.resolve({ ...call, params: { id: String(call.body.classId) } });
  const prepared = await preparedFor(call, classRow);
  await enterOrganization(call, classRow.organizationId);
  if (prepared) requireTeachable(prepared, classRow);
  const row = await newRow(call, classRow, prepared);
  row.joinCode = await reserveJoinCode(call.trx, row);
  await LiveLessonRow.query(call.trx).insert(row);
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
  const found = await lessonForLive(trx, organizationId, sessionId);
  if (!found) throw notFound();
  return found;
}

function requireTeachable({ row }: LiveSource, classRow: ClassInScope): void {
  if (row.classId !== classRow.id) throw invalid('sessionId', 'other_class');
  if (row.state === 'accepted' || row.state === 'distributed') return;
  throw conflict('invalid_transition', `A lesson that is ${row.state} cannot be taught.`, 'sessionId');
}

const itemsOf = ({ segments, items }: LiveSource) => inLessonOrder(segments, items);

async function newRow(
  { services, trx, actor, now }: LiveLessonCall,
  { id: classId, organizationId, timeZone }: ClassInScope,
  prepared: LiveSource | undefined,
): Promise<LiveLessonRow> {
  const { name: schoolYear } = await yearOfDay(services, trx, localDate(now, timeZone), now);
  const itemRefs = prepared ? itemsOf(prepared).map(({ itemRef }) => itemRef) : [];
  return Object.assign(new LiveLessonRow(), {
    id: newId(),
    organizationId,
    schoolYear,
    timeZone,
    classId,
    sessionId: prepared?.row.id ?? null,
    bundleId: prepared?.row.bundleId ?? null,
    stepNo: prepared?.row.stepNo ?? null,
    state: 'draft' as const,
    joinCode: '',
    controlVersion: 0,
    playlistNo: itemRefs.length > 0 ? 1 : 0,
    itemRefs,
    currentItemRef: null,
    responsesLocked: false,
    createdBy: actor.userId,
    createdAt: now.toISOString(),
    startedAt: null,
    endedAt: null,
  });
}
