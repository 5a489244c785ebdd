// Live lessons written directly into their tables.
import { randomInt } from 'node:crypto';
import type { Db, Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { insertRows } from '#core/platform/sql.ts';
import type { BlueprintItem } from '#teaching/lesson-blueprints/index.ts';
import type { ClassRow } from '../../harness/factories.ts';
import { itemOf } from '../lesson-blueprints/rows.ts';

const at = new Date('2026-01-15T07:00:00.000Z');

export const sixItems: readonly BlueprintItem[] = [1, 2, 3, 4, 5, 6].map((no) => itemOf(`item-${no}`, 'DEC_WORD'));
const refs = sixItems.map(({ itemRef }) => itemRef);

export interface BuiltLive {
  readonly id: string;
  readonly organizationId: string;
  readonly classId: number;
  readonly joinCode: string;
}

interface LiveOptions {
  readonly state?: 'draft' | 'live';
  readonly joined?: readonly number[];
  readonly createdAt?: Date;
  readonly createdBy?: number;
}

/** An id that no lesson of a test has. */
export const unusedCode = '000000';

/** Creates a live lesson with six items. One that is taught ends earlier ones of its class. */
export async function buildLive(owner: Db, classRow: ClassRow, options: LiveOptions = {}): Promise<BuiltLive> {
  const { state = 'draft', joined = [], createdAt = at, createdBy = 1 } = options;
  const { organizationId, id: classId } = classRow;
  const id = newId();
  const place = { organizationId, liveSessionId: id };
  const live = { id, organizationId, classId, joinCode: await reserveCode(owner, place) };
  if (state === 'live') await endOthers(owner, classRow);
  const taught = state === 'live' && { startedAt: createdAt, currentItemRef: refs[0] };
  await insertRows(owner as unknown as Trx, 'live_session', [
    {
      ...{ ...live, schoolYear: '2025-2026', timeZone: 'Asia/Riyadh', state, controlVersion: 0, playlistNo: 1 },
      ...{ itemRefs: refs, responsesLocked: false, createdBy, createdAt },
      ...{ currentItemRef: null, startedAt: null, ...taught },
    },
  ]);
  const playlist = { ...place, schoolYear: '2025-2026', playlistNo: 1, blueprintId: newId(), createdAt };
  await owner('live_playlist').insert({ ...playlist, items: JSON.stringify(sixItems) });
  const seen = { joinedAt: createdAt, lastSeenAt: createdAt, leftAt: null };
  await insertRows(
    owner as unknown as Trx,
    'live_participant',
    joined.map((studentId) => ({ ...place, studentId, ...seen })),
  );
  return live;
}

/** Inserts a random code; a test file may have hundreds, so that collisions occur. */
async function reserveCode(owner: Db, place: object): Promise<string> {
  const code = String(randomInt(1, 1e6)).padStart(6, '0');
  const taken = await owner('live_join_code')
    .insert({ code, ...place })
    .onConflict('code')
    .ignore()
    .returning('code');
  return taken.length > 0 ? code : reserveCode(owner, place);
}

/** Creates a draft that can be started, because nothing else is taught in its class. */
export async function draftLive(owner: Db, classRow: ClassRow): Promise<BuiltLive> {
  await endOthers(owner, classRow);
  return buildLive(owner, classRow);
}

const endOthers = async (owner: Db, { organizationId, id: classId }: ClassRow): Promise<void> => {
  await owner('live_session')
    .where({ organizationId, classId })
    .whereIn('state', ['live', 'paused'])
    .update({ state: 'ended', endedAt: at, currentItemRef: null });
};

/** Creates a group of one student, who leads it, and returns its id. */
export async function buildLiveGroup(owner: Db, live: BuiltLive, studentId: number): Promise<string> {
  const place = { organizationId: live.organizationId, liveSessionId: live.id };
  const groupId = newId();
  await owner('live_group').insert({ ...place, id: groupId, groupNo: 1, leaderStudentId: studentId });
  await owner('live_group_member').insert({ ...place, groupId, studentId });
  return groupId;
}

/** Creates an open run with one seat, which has the first item, and returns its id. */
export async function buildProjectorRun(owner: Db, live: BuiltLive, studentId: number): Promise<string> {
  const { organizationId, id: liveSessionId } = live;
  const run = { id: newId(), organizationId, liveSessionId, playlistNo: 1, state: 'open', setUpBy: 1, openedAt: at };
  await owner('live_projector_run').insert(run);
  const seat = { organizationId, projectorRunId: run.id, seatNo: 1, studentId, itemRef: refs[0] };
  await owner('live_projector_seat').insert(seat);
  return run.id;
}
