// How a live session stands, for everybody who asks: read once, and kept as long as nothing has happened since. Nothing is
// decided by it, and no write trusts it.
import type { Trx } from '#core/platform/db.ts';
import { type SessionItem, sessionItemView } from '../../lesson-blueprints/index.ts';
import type { LiveState } from '../enums.ts';
import { ismItemsOf } from '../own-items/course.ts';
import { eventsAfter, type LiveEventRow } from '../rows/events.ts';
import { type GroupWithMembers, groupsOf } from '../rows/groups.ts';
import { liveItems } from '../rows/playlist.ts';
import type { LiveColumns } from '../rows/session.ts';

/** What it takes to see that something has changed: both only grow. */
export interface LiveVersion {
  readonly controlVersion: number;
  /** Of the newest event; 0: none yet. */
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
  readonly currentItem: SessionItem | null;
  /** By student. */
  readonly groups: ReadonlyMap<number, OwnGroup>;
  readonly ismItems: ReadonlyMap<number, SessionItem>;
  /** The newest ones, in their order, without a gap. */
  readonly events: readonly LiveEventRow[];
}

const mostEvents = 300;

/** `version`: as it was read together with the row, or before. */
export async function readSnapshot(trx: Trx, row: LiveColumns, version: LiveVersion): Promise<LiveSnapshot> {
  const [items, groups, ownItems, events] = await Promise.all([
    liveItems(trx, row),
    groupsOf(trx, row),
    ismItemsOf(trx, row),
    eventsAfter(trx, row, Math.max(0, version.seq - mostEvents), mostEvents),
  ]);
  const current = items.find(({ itemRef }) => itemRef === row.currentItemRef);
  return {
    version,
    state: row.state,
    responsesLocked: row.responsesLocked,
    currentItem: current ? sessionItemView(current) : null,
    groups: groupsByStudent(groups),
    ismItems: new Map([...ownItems].map(([studentId, item]) => [studentId, sessionItemView(item)])),
    events: events.filter(({ seq }) => seq <= version.seq),
  };
}

const groupsByStudent = (groups: readonly GroupWithMembers[]): ReadonlyMap<number, OwnGroup> =>
  new Map(
    groups.flatMap(({ groupNo, memberStudentIds, leaderStudentId }) =>
      memberStudentIds.map((id) => [id, { groupNo, isLeader: id === leaderStudentId }] as const),
    ),
  );
