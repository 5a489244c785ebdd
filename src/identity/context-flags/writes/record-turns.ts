// A local date can begin or end a flag without any write. The daily job records each such turn once and appends the event.
// It finds flags by an index on their dates and scans no students.
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { OrganizationDay } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { dictionaryIn } from '../dictionary.ts';
import { contextFlagChanged } from '../events.ts';

/** Turns of the last 31 days are made up for after an outage. */
const daysBack = 31;
/** Turns per transaction. A killed process loses one batch; recorded turns are not recorded again. */
const batchSize = 500;

/** Records the turns of one organization up to a date. Throws ENGINE_UNAVAILABLE when there is no dictionary. */
export async function recordTurns(services: Services, turn: OrganizationDay): Promise<void> {
  const { organizationId } = turn;
  let recorded: number;
  do {
    recorded = await inContext(services.db, { organizationId }, (trx) => recordBatch(services, trx, turn));
  } while (recorded === batchSize);
}

async function recordBatch(
  { rules, clock }: Pick<Services, 'rules' | 'clock'>,
  trx: Trx,
  { organizationId, date }: OrganizationDay,
): Promise<number> {
  const now = clock.now();
  const { reviewCodes } = dictionaryIn((await rules.at(trx, now)).rules);
  const recorded = await rowsOf<{ studentId: number; flagId: number }>(trx, appendTurns, {
    organizationId,
    day: date,
    since: daysBefore(date, daysBack),
    codes: reviewCodes,
    limit: batchSize,
    now: now.toISOString(),
  });
  await appendEvents(
    trx,
    now,
    recorded.map((payload) => newEvent(contextFlagChanged, organizationId, payload)),
  );
  return recorded.length;
}

/** Excludes flags that were set on or after the date, or ended by a person: their write has appended the event already. */
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
