// Reads of single students in an organization that is newer than PostgreSQL's statistics cost as much as in any other:
// PostgreSQL counts the fetched rows.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newestDomainMarks, newestSkillMarks, previousRuns } from '#assessment/skill-status/results/previous.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { storedYears } from '#outcomes/rewards/emission/history.ts';
import { knownOf } from '#support/interventions/profiles/known.ts';
import { newestProfiles } from '#support/interventions/profiles/rows/store.ts';
import { snapshotsAfter } from '#support/rti/skill-states/snapshots.ts';
import { answersOf } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('an organization that statistics do not know');
const shell = useShell(test);
const finishedAt = '2026-01-10T09:00:00.000Z';
const schoolYear = '2025-2026';
const classSize = 60;

async function evaluatedClass(): Promise<readonly Student[]> {
  const first = await shell.student();
  const others = await Promise.all(Array.from({ length: classSize - 1 }, () => shell.classmate(first)));
  const students = [first, ...others];
  for (const student of students) {
    await shell.diagnostic(student, answersOf({ LK_SOUND: 'CCCC' }), { finishedAt, announced: false });
  }
  await shell.recompute(...students);
  return students;
}

let students: readonly Student[] = [];
test.before(async () => {
  await evaluatedClass();
  await shell.app.database.owner.raw('analyze');
  students = await evaluatedClass();
});

/** Returns the rows that PostgreSQL has fetched in the transaction. */
async function fetchedRows(trx: Trx): Promise<number> {
  const [row] = await rowsOf<{ fetched: number }>(
    trx,
    `select coalesce(sum(idx_tup_fetch + seq_tup_read), 0)::integer as fetched
     from pg_stat_xact_user_tables where relname ~ '^(sse_run|sse_skill_snapshot|sse_domain_snapshot|profile_assignment)_'`,
    {},
  );
  return row?.fetched ?? 0;
}

interface Read {
  readonly what: string;
  /** The rows of one student: one sub-skill, nine domains. */
  readonly rows: number;
  readonly read: (trx: Trx, organizationId: string, studentIds: readonly number[]) => Promise<unknown>;
}

const inYear = (studentIds: readonly number[]) => studentIds.map((studentId) => ({ studentId, schoolYear }));
const yearFrom = '2025-08-01T00:00:00.000Z';

const reads: readonly Read[] = [
  { what: 'newest runs', rows: 1, read: (trx, own, ids) => previousRuns(trx, own, inYear(ids)) },
  { what: 'newest rows of sub-skills', rows: 1, read: (trx, own, ids) => newestSkillMarks(trx, own, inYear(ids)) },
  { what: 'newest rows of domains', rows: 9, read: (trx, own, ids) => newestDomainMarks(trx, own, inYear(ids)) },
  { what: 'newest profiles', rows: 1, read: (trx, own, ids) => newestProfiles(trx, own, inYear(ids)) },
  {
    what: 'what is known of profiles: profile and run',
    rows: 2,
    read: (trx, own, ids) =>
      knownOf(
        trx,
        own,
        ids.map((studentId) => ({ studentId, yearFrom })),
      ),
  },
  {
    what: 'snapshots that states of skills follow, and their runs',
    rows: 2,
    read: (trx, own, ids) =>
      snapshotsAfter(
        trx,
        own,
        ids.map((studentId) => ({ studentId, after: 0 })),
      ),
  },
  {
    what: 'the year that rewards look at',
    rows: 10,
    read: (trx, organizationId, ids) => storedYears(trx, { organizationId, years: inYear(ids) }),
  },
];

for (const { what, rows, read } of reads) {
  test(`${what}: no rows of other students are fetched`, async () => {
    const asked = students.slice(0, 10);
    const organizationId = asked[0]?.organizationId ?? '';
    await inContext(shell.services.db, { organizationId }, async (trx) => {
      // Small test tables would be scanned completely, which large ones are not.
      await trx.raw('set local enable_seqscan = off');
      const before = await fetchedRows(trx);
      await read(
        trx,
        organizationId,
        asked.map(({ id }) => id),
      );
      assert.is((await fetchedRows(trx)) - before, asked.length * rows);
    });
  });
}

test.run();
