// Leaderboards for adults: how much students of a class, a teacher or a school have grown in the last days, counted
// from mastery events only. There are no ranks, and the labels come from the rewards document.
import type { Static } from 'typebox';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { type Bindings, rowsOf } from '#core/platform/sql.ts';
import { Organization } from '#identity/people/index.ts';
import { masterySourceKinds } from '../engine/enums.ts';
import { rewardRules } from '../engine/rules.ts';
import { textFilter } from './filtered-text.ts';
import type { Leaderboard, LeaderboardQuery } from './schemas.ts';
import type { Board } from './scopes.ts';

type Answer = Static<typeof Leaderboard>;
type Entry = Answer['entries'][number];

interface LeaderboardRequest {
  readonly services: Services;
  readonly trx: Trx;
  readonly scope: Board;
  readonly query: Static<typeof LeaderboardQuery>;
  readonly now: Date;
}

const defaultWindowDays = 14;

/** Throws ENGINE_UNAVAILABLE without reward rules or language rules for staff. */
export async function leaderboard({ services, trx, scope, query, now }: LeaderboardRequest): Promise<Answer> {
  const { view = 'by_mastery_events', windowDays = defaultWindowDays } = query;
  const { rules: bundle } = await services.rules.at(trx, now);
  const { topLabelAr, bottomLabelAr } = rewardRules(bundle).framing;
  const filtered = textFilter(bundle, 'ui');
  const framing = { topLabelAr: filtered(topLabelAr), bottomLabelAr: filtered(bottomLabelAr) };
  const { organizationId } = scope;
  const [{ timeZone }, students] = await Promise.all([
    Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound(),
    enrolledIn(trx, scope),
  ]);
  const to = localDate(now, timeZone);
  const studentIds = students.map(({ studentId }) => studentId);
  const counts = await countsOf(trx, organizationId, studentIds, { from: daysBefore(to, windowDays - 1), to });
  const entries = students
    .map(({ studentId }) => entryOf(studentId, counts.get(studentId) ?? []))
    .sort(inOrderOf(view));
  return {
    ...{ scope: scope.scope, view, windowDays, framing, entries },
    ...(scope.scope === 'teacher' && { classTotals: totalsOf(scope.classIds ?? [], students, entries) }),
  };
}

interface Enrolled {
  readonly studentId: number;
  readonly classId: number;
}

/** Alias `e` is the current enrollment. */
const inScope = ({ classIds }: Board): string =>
  classIds === null
    ? `exists (select from class c where c.organization_id = e.organization_id and c.id = e.class_id
        and c.school_id = :schoolId)`
    : 'e.class_id = any(:classIds::bigint[])';

const bindingsOf = ({ organizationId, schoolId, classIds }: Board): Bindings => ({
  ...{ organizationId, schoolId: schoolId ?? '', classIds: [...(classIds ?? [])] },
});

const enrolledIn = (trx: Trx, board: Board): Promise<Enrolled[]> =>
  rowsOf(
    trx,
    `select e.student_id, e.class_id from enrollment e
     where e.organization_id = :organizationId and e.enrolled_to is null and ${inScope(board)}`,
    bindingsOf(board),
  );

/** Indexed like `masterySourceKinds`. */
type Counts = readonly number[];

const countColumns = masterySourceKinds.map((kind) => `count(*) filter (where m.source_kind = '${kind}')`).join(', ');

/** Keyed by student, including events in earlier classes; students without events are absent. */
async function countsOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  window: { readonly from: string; readonly to: string },
): Promise<ReadonlyMap<number, Counts>> {
  const rows = await rowsOf<{ studentId: number; counts: Counts }>(
    trx,
    `select m.student_id, array[${countColumns}]::integer[] as counts from mastery_event m
     where m.organization_id = :organizationId and m.student_id = any(:studentIds::bigint[])
       and m.local_date between :from and :to
     group by m.student_id`,
    { organizationId, studentIds, ...window },
  );
  return new Map(rows.map(({ studentId, counts }) => [studentId, counts]));
}

function entryOf(studentId: number, counts: Counts): Entry {
  const counted = masterySourceKinds.map((kind, at) => [kind, counts[at] ?? 0] as const);
  return {
    studentId,
    masteryEventCount: counted.reduce((sum, [, count]) => sum + count, 0),
    bandProgressionCount: counts[masterySourceKinds.indexOf('band_progression')] ?? 0,
    sourceKindBreakdown: Object.fromEntries(counted.filter(([, count]) => count > 0)),
  };
}

type Counted = 'masteryEventCount' | 'bandProgressionCount';
const byView: Readonly<Record<Answer['view'], readonly [Counted, Counted]>> = {
  by_mastery_events: ['masteryEventCount', 'bandProgressionCount'],
  by_band_progression: ['bandProgressionCount', 'masteryEventCount'],
};

function inOrderOf(view: Answer['view']): (one: Entry, other: Entry) => number {
  const [first, second] = byView[view];
  return (one, other) => other[first] - one[first] || other[second] - one[second] || one.studentId - other.studentId;
}

function totalsOf(classIds: readonly number[], students: readonly Enrolled[], entries: readonly Entry[]) {
  const classOf = new Map(students.map(({ studentId, classId }) => [studentId, classId]));
  return classIds.map((classId) => {
    const own = entries.filter(({ studentId }) => classOf.get(studentId) === classId);
    return {
      classId,
      masteryEventCount: own.reduce((sum, one) => sum + one.masteryEventCount, 0),
      bandProgressionCount: own.reduce((sum, one) => sum + one.bandProgressionCount, 0),
    };
  });
}
