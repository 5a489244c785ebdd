// What happens to assignments by themselves: their day comes (AS-03), the student leaves or moves to another class (AS-10),
// weeks go by without a session. The student's support is locked; what changed meanwhile is looked at again under the lock.
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { schoolCalendar } from '../engine/assignments/calendar.ts';
import { moved } from '../engine/assignments/moves.ts';
import { openStates } from '../engine/vocabulary.ts';
import { BundleAssignment } from '../plans/store.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import { type Place, placesOf } from '../situations/places.ts';
import { lockSupport } from '../support/lock.ts';
import { type Change, changeAssignment } from './change.ts';
import { type DeliveredDays, deliveredDays, type Moment, trackOf } from './track.ts';

/** The reason of AS-10. */
const left = 'Student_Left';

export interface Followed {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly now: Date;
}

/** AS-10: no rules are asked, so that it works whatever they are. */
export async function followEnrollment(trx: Trx, followed: Followed): Promise<void> {
  const { organizationId, now } = followed;
  const before = await openWithPlaces(trx, followed);
  const astray = before.filter(({ row, place }) => hasChanged(row, enrollmentChange(row, place, now)));
  if (astray.length === 0) return;
  const studentIds = [...new Set(astray.map(({ row }) => row.studentId))];
  await lockSupport(trx, organizationId, studentIds);
  for (const { row, place } of await openWithPlaces(trx, { ...followed, studentIds })) {
    await changeAssignment(trx, row, different(row, enrollmentChange(row, place, now)), now);
  }
}

/** Students of whose assignments something has to be written; nothing is locked and nothing written. */
export async function studentsBehind(trx: Trx, followed: Followed, rules: InterventionRules): Promise<number[]> {
  const { rows, delivered } = await openWithDays(trx, followed);
  const behind = rows.filter(({ row, place }) =>
    hasChanged(row, dueChange(row, place, delivered, rules, followed.now)),
  );
  return [...new Set(behind.map(({ row }) => row.studentId))];
}

/** What is due of an assignment and not written yet. */
export interface Due {
  readonly row: BundleAssignment;
  readonly change: Change;
}

/** All of it, for students whose support is locked here; nothing is written. */
export async function dueOf(trx: Trx, followed: Followed, rules: InterventionRules): Promise<Due[]> {
  await lockSupport(trx, followed.organizationId, followed.studentIds);
  const { rows, delivered } = await openWithDays(trx, followed);
  return rows
    .map(({ row, place }) => ({ row, change: different(row, dueChange(row, place, delivered, rules, followed.now)) }))
    .filter(({ change }) => Object.keys(change).length > 0);
}

export async function writeDue(trx: Trx, due: readonly Due[], now: Date): Promise<void> {
  for (const { row, change } of due) await changeAssignment(trx, row, change, now);
}

export const catchUp = async (trx: Trx, followed: Followed, rules: InterventionRules): Promise<void> =>
  writeDue(trx, await dueOf(trx, followed, rules), followed.now);

export interface Placed {
  readonly row: BundleAssignment;
  /** Of a student who was erased the last one too. */
  readonly place: Place;
}

export async function openWithPlaces(trx: Trx, { organizationId, studentIds }: Followed): Promise<Placed[]> {
  const rows = await BundleAssignment.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .whereIn('state', [...openStates])
    .orderBy(['studentId', 'activatedAt', 'id']);
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map(({ studentId }) => studentId))];
  const places = new Map((await placesOf(trx, organizationId, ids, 'erased too')).map((one) => [one.studentId, one]));
  return rows.flatMap((row) => {
    const place = places.get(row.studentId);
    return place ? [{ row, place }] : [];
  });
}

async function openWithDays(trx: Trx, followed: Followed) {
  const rows = await openWithPlaces(trx, followed);
  const ids = rows.map(({ row }) => row.id);
  return { rows, delivered: await deliveredDays(trx, followed.organizationId, ids) };
}

export const momentAt = ({ timeZone, weekend, holidays }: Place, now: Date): Moment => ({
  calendar: schoolCalendar(weekend, holidays),
  today: localDate(now, timeZone),
});

function enrollmentChange({ state }: BundleAssignment, { classId, timeZone }: Place, now: Date): Change {
  const stopped = classId === null ? moved(state, 'leave') : null;
  if (classId !== null || stopped === null) return classId === null ? {} : { classId };
  return { state: stopped, reasonCode: left, endedOn: localDate(now, timeZone), trackStatus: 'not_applicable' };
}

function dueChange(
  row: BundleAssignment,
  place: Place,
  delivered: DeliveredDays,
  rules: InterventionRules,
  now: Date,
): Change {
  const enrolled = enrollmentChange(row, place, now);
  if (enrolled.state) return enrolled;
  const moment = momentAt(place, now);
  const state = (row.startOn <= moment.today ? moved(row.state, 'start') : null) ?? row.state;
  return { ...enrolled, state, trackStatus: trackOf({ ...row, state }, delivered, moment, rules) };
}

/** What of a change is another value than the row has. */
const different = (row: BundleAssignment, change: Change): Change =>
  Object.fromEntries(Object.entries(change).filter(([name, value]) => row[name as keyof Change] !== value));

const hasChanged = (row: BundleAssignment, change: Change): boolean => Object.keys(different(row, change)).length > 0;
