// Ledgers are split by school year: the part of the year that comes is made while nobody writes into it yet.

import type { CapabilityJobs } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type CatalogueDocument, schoolYearDates, type YearStart } from '#rules/catalogue/index.ts';

const everyMs = 6 * hourMs;

/** Each ledger by itself, in a transaction of its own; one that is busy has its turn again. Throws the first failure. */
export async function makeLedgerYears({ db, rules, clock, log }: Services): Promise<void> {
  const now = clock.now();
  const { rules: bundle } = await rules.at(db, now);
  const years = presentAndNext(now, bundle.values<CatalogueDocument>('catalogue/subskills').schoolYear);
  await eachInTurn(
    await missingParts(db, years),
    async ({ ledger, year }) => {
      if (await makePart(db, ledger, year)) log.debug({ ledger, year }, 'part of a school year made');
    },
    (error, { ledger, year }) => log.error({ err: error, ledger, year }, 'part of a school year is not made'),
  );
}

function presentAndNext(now: Date, start: YearStart): string[] {
  const { name } = schoolYearDates(localDate(now, 'UTC'), start);
  const last = Number(name.slice(-4));
  return [name, `${last}-${last + 1}`];
}

const missingParts = (db: Services['db'], years: readonly string[]): Promise<{ ledger: string; year: string }[]> =>
  rowsOf(
    db,
    `select c.relname as ledger, y.year from pg_class c cross join unnest(:years::text[]) as y (year)
     where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace and not exists (select from pg_class part
       where part.relname = c.relname || '_' || replace(y.year, '-', '_') and part.relnamespace = c.relnamespace)
     order by 1, 2`,
    { years },
  );

/** True: made now. False: another process has made it. Null: rows of the year are in the default part, and stay there. */
const makePart = (db: Services['db'], ledger: string, year: string): Promise<boolean | null> =>
  inContext(db, 'SUPER', async (trx) => {
    await acquireLock(trx, 'ledgerParts');
    const [row] = await rowsOf<{ made: boolean | null }>(trx, 'select make_ledger_part(:ledger, :year) as made', {
      ledger,
      year,
    });
    return row?.made ?? null;
  });

export const ledgerYearJobs: CapabilityJobs = {
  schedules: [{ name: 'ledger-years', everyMs, run: makeLedgerYears }],
};
