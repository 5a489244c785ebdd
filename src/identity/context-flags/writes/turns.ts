// A date that begins or ends a flag changes what is known of a student although nobody does anything: the daily job tells
// it, once. Flags are found by their dates; no student is looked at.
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { dictionaryIn } from '../dictionary.ts';
import { contextFlagChanged } from '../events.ts';

/** A service that stood still makes up for this many days. */
const daysBack = 31;
/** A transaction each: a kill loses one, and what was told before it is not told again. */
const batchSize = 500;

export interface LocalTurn {
  readonly organizationId: string;
  /** The organization's date. */
  readonly date: string;
}

/** Throws ENGINE_UNAVAILABLE without a dictionary. */
export async function tellTurns(services: Services, turn: LocalTurn): Promise<void> {
  const { organizationId } = turn;
  let told: number;
  do {
    told = await inContext(services.db, { organizationId }, (trx) => tellSome(services, trx, turn));
  } while (told === batchSize);
}

async function tellSome(
  { rules, clock }: Pick<Services, 'rules' | 'clock'>,
  trx: Trx,
  { organizationId, date }: LocalTurn,
): Promise<number> {
  const now = clock.now();
  const { reviewCodes } = dictionaryIn((await rules.at(trx, now)).rules);
  const told = await rowsOf<{ studentId: number; flagId: number }>(trx, appendTurns, {
    ...{ organizationId, day: date, since: daysBefore(date, daysBack), codes: reviewCodes },
    ...{ limit: batchSize, now: now.toISOString() },
  });
  await appendEvents(
    trx,
    now,
    told.map((payload) => newEvent(contextFlagChanged, organizationId, payload)),
  );
  return told.length;
}

/** What was set on the day itself or later has told of it already, and so has what was ended by hand. */
const appendTurns = `
  with turned as (
    select f.*, 'begins' as turn from context_flag f
    where f.organization_id = :organizationId and f.effective_from > :since::date and f.effective_from <= :day::date
      and f.set_on < f.effective_from
    union all
    select f.*, 'ends' as turn from context_flag f
    where f.organization_id = :organizationId and f.active_to >= :since::date and f.active_to < :day::date
      and f.set_on <= f.active_to)
  insert into context_flag_turn (organization_id, school_year, student_id, flag_id, turn, at)
  select t.organization_id, t.school_year, t.student_id, t.id, t.turn, :now::timestamptz from turned t
  where t.flag_code = any(:codes::text[]) and not t.ended
    and not exists (select from context_flag n where n.organization_id = t.organization_id
      and n.student_id = t.student_id and n.flag_code = t.flag_code and n.id > t.id)
    and not exists (select from context_flag_turn d where d.organization_id = t.organization_id
      and d.flag_id = t.id and d.turn = t.turn)
  order by t.id, t.turn limit :limit
  on conflict do nothing
  returning student_id, flag_id`;
