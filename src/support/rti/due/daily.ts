// Follows the due days of alerts or packets of an organization once a day (contract 53 §1): their days by the calendar of this
// day, the stages that have come, and the messages about them. What a lost day would have told is not made up for.
import { isDeepStrictEqual } from 'node:util';
import { appendEvents, type NewEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { schoolsWithPrincipals } from '#messaging/notifications/index.ts';
import { lockSupport } from '../../interventions/index.ts';
import { type DueState, noticesOf, type OverdueAudience, toldState } from '../engine/due/follow.ts';
import { beginDueRun, type DueRun } from './start.ts';
import { countOverdue } from './tally.ts';

/** An open alert, or a packet under review, of a student in a class. */
export interface DueItem {
  readonly id: string;
  readonly studentId: number;
  readonly schoolId: string;
  /** Local date of the school. */
  readonly today: string;
  /** As stored. */
  readonly state: DueState;
  /** By the calendar of today. */
  readonly next: DueState;
}

export type StageAudience = OverdueAudience | 'teachers';

export interface DueSource<Item extends DueItem> {
  /** In log messages. */
  readonly name: string;
  /** Students with such items, by id. */
  studentsAfter(trx: Trx, organizationId: string, after: number, limit: number): Promise<readonly number[]>;
  items(trx: Trx, run: DueRun, studentIds: readonly number[], now: Date): Promise<readonly Item[]>;
  write(trx: Trx, item: Item, state: DueState): Promise<unknown>;
  told(item: Item, audience: StageAudience): NewEvent;
}

/** Students in one statement. */
const pieceSize = 500;

/** Each student has a transaction of their own. Throws the first failure after all have been followed. */
export async function followDueDays<Item extends DueItem>(
  services: Services,
  organizationId: string,
  source: DueSource<Item>,
): Promise<void> {
  const run = await beginDueRun(services, organizationId);
  if (!run) return;
  const headed = await inReadOnlyContext(services.db, { organizationId }, (trx) =>
    schoolsWithPrincipals(trx, organizationId),
  );
  const following: Following<Item> = { services, source, run, headed, full: new Set() };
  const items: Item[] = [];
  for await (const piece of pieces(following)) items.push(...piece.filter((one) => hasWork(following, one)));
  await eachInTurn(
    items.sort(longestDueFirst),
    (item) => followItem(following, item),
    (error, { studentId }) =>
      services.log.error({ err: error, studentId }, `due days of ${source.name} could not be followed`),
  );
}

interface Following<Item extends DueItem> {
  readonly services: Services;
  readonly source: DueSource<Item>;
  readonly run: DueRun;
  /** Schools with a principal. */
  readonly headed: ReadonlySet<string>;
  /** Audiences that have been told as much as a day allows. */
  readonly full: Set<string>;
}

async function* pieces<Item extends DueItem>({ services, source, run }: Following<Item>) {
  const { organizationId } = run;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    const read = await inReadOnlyContext(services.db, { organizationId }, async (trx) => {
      const studentIds = await source.studentsAfter(trx, organizationId, from, pieceSize);
      return { studentIds, items: await source.items(trx, run, studentIds, services.clock.now()) };
    });
    yield read.items;
    after = read.studentIds.length < pieceSize ? undefined : read.studentIds.at(-1);
  }
}

const longestDueFirst = (one: DueItem, other: DueItem): number =>
  compare(one.next.dueOn ?? '9999', other.next.dueOn ?? '9999') || compare(one.id, other.id);

const isChanged = ({ state, next }: DueItem): boolean => !isDeepStrictEqual({ ...state }, { ...next });

/** Whether it has changed, or someone is to be told. */
function hasWork<Item extends DueItem>({ headed, full }: Following<Item>, item: Item): boolean {
  if (isChanged(item)) return true;
  const { reminder, overdue } = noticesOf(item.next, headed.has(item.schoolId));
  return reminder || overdue.some((audience) => !full.has(audienceKey(item, audience)));
}

/** Reads the item anew under the lock: a person or another process may have been faster. */
async function followItem<Item extends DueItem>(following: Following<Item>, read: Item): Promise<void> {
  if (!hasWork(following, read)) return;
  const { services, source, run } = following;
  const { organizationId } = run;
  await inContext(services.db, { organizationId }, async (trx) => {
    await lockSupport(trx, organizationId, [read.studentId]);
    const now = services.clock.now();
    const item = (await source.items(trx, run, [read.studentId], now)).find(({ id }) => id === read.id);
    if (!item) return;
    const audiences = await audiencesNow(trx, following, item, now);
    const hasPrincipals = following.headed.has(item.schoolId);
    const state = audiences.reduce((known, audience) => toldState(known, audience, hasPrincipals), item.next);
    if (!isChanged({ ...item, next: state })) return;
    await source.write(trx, item, state);
    await appendEvents(
      trx,
      now,
      audiences.map((audience) => source.told({ ...item, next: state }, audience)),
    );
  });
}

/** Those who are told now; the cap holds the others back until another day. */
async function audiencesNow<Item extends DueItem>(
  trx: Trx,
  { run, headed, full }: Following<Item>,
  item: Item,
  now: Date,
): Promise<StageAudience[]> {
  const { reminder, overdue } = noticesOf(item.next, headed.has(item.schoolId));
  const audiences: StageAudience[] = reminder ? ['teachers'] : [];
  for (const one of overdue) {
    const audience = audienceKey(item, one);
    const today = one === 'admins' ? localDate(now, run.timeZone) : item.today;
    const counted = { organizationId: run.organizationId, audience, today, most: run.due.mostOverdueADay };
    if (!full.has(audience) && (await countOverdue(trx, counted))) audiences.push(one);
    else full.add(audience);
  }
  return audiences;
}

const audienceKey = ({ schoolId }: DueItem, audience: OverdueAudience): string =>
  audience === 'admins' ? 'admins' : schoolId;
