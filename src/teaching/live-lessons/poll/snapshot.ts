// A cached snapshot of a live lesson for all polls. It is valid until the version of the lesson changes. Writes never use it.
import type { Trx } from '#core/platform/db.ts';
import { type LessonItem, lessonItemView } from '../../lesson-blueprints/index.ts';
import type { LiveState } from '../enums.ts';
import { ismItemsOf } from '../own-items/runs.ts';
import { eventsAfter, type LiveEventRow } from '../rows/events.ts';
import { type GroupWithMembers, groupsOf } from '../rows/groups.ts';
import type { LiveColumns } from '../rows/live-lesson.ts';
import { liveItems } from '../rows/playlist.ts';

/** The version of a lesson; both numbers only increase. */
export interface LiveVersion {
  readonly controlVersion: number;
  /** Number of the newest event; 0 without events. */
  readonly seq: number;
}

export interface OwnGroup {
  readonly groupNo: number;
  readonly isLeader: boolean;
}

export interface LiveSnapshot {
  readonly version: LiveVersion;
  readonly state: LiveState;
  readonly responsesLocked: boolean;
  readonly currentItem: LessonItem | null;
  /** Groups by student id. */
  readonly groups: ReadonlyMap<number, OwnGroup>;
  readonly ismItems: ReadonlyMap<number, LessonItem>;
  /** The newest events, in order and without a gap. */
  readonly events: readonly LiveEventRow[];
}

const maxEvents = 300;

/** `version` was read together with the row or before it. */
export async function readSnapshot(trx: Trx, row: LiveColumns, version: LiveVersion): Promise<LiveSnapshot> {
  const [items, groups, ownItems, events] = await Promise.all([
    liveItems(trx, row),
    groupsOf(trx, row),
    ismItemsOf(trx, row),
    eventsAfter(trx, row, Math.max(0, version.seq - maxEvents), maxEvents),
  ]);
  const current = items.find(({ itemRef }) => itemRef === row.currentItemRef);
  return {
    version,
    state: row.state,
    responsesLocked: row.responsesLocked,
    currentItem: current ? lessonItemView(current) : null,
    groups: groupsByStudent(groups),
    ismItems: new Map([...ownItems].map(([studentId, item]) => [studentId, lessonItemView(item)])),
    events: events.filter(({ seq }) => seq <= version.seq),
  };
}

const groupsByStudent = (groups: readonly GroupWithMembers[]): ReadonlyMap<number, OwnGroup> =>
  new Map(
    groups.flatMap(({ groupNo, memberStudentIds, leaderStudentId }) =>
      memberStudentIds.map((id) => [id, { groupNo, isLeader: id === leaderStudentId }] as const),
    ),
  );
