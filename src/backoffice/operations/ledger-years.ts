// Ledgers are partitioned by school year. The partition of the next year is created before anything is written to it.

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

/** Handles each ledger in a transaction of its own; the next run retries one that was locked. Throws the first failure after all have run. */
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

/** Returns true when the partition was created, false when it existed, null when rows of the year are in the default partition, where they stay. */
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
