// After thirty days nothing is known of a commit: it is not taken back by what a purge has left of it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { revertRun } from '#integrations/lms/runs/revert.ts';
import { LmsSyncRun } from '#integrations/lms/runs/rows.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Roster } from '../sets.ts';

const school = useSchool(test);
const { app, owner } = school;
const thirtyDaysMs = 30 * 24 * 3_600_000;

const roster: Roster = {
  classes,
  people: [{ id: 's1' }, { id: 's2', given: 'ريم' }],
  enrolled: [
    { course: 'A', person: 's1' },
    { course: 'A', person: 's2' },
  ],
};

/** Asked so long after the end of the run. */
async function revertedAfter(runId: string, ms: number): Promise<unknown> {
  const { organizationId } = school.tenant;
  return inContext(app.services.db, { organizationId }, async (trx) => {
    const run = await LmsSyncRun.query(trx).findById([organizationId, runId]).throwIfNotFound();
    const at = new Date(new Date(run.endedAt ?? '').getTime() + ms);
    return revertRun(trx, run, { skipChanged: false, clock: () => at });
  });
}

const issueOf = (error: unknown): string | undefined =>
  error instanceof AppError ? error.details?.[0]?.issue : String(error);

test('thirty days after the commit it is refused, also while a part of the record is left', async () => {
  const run = await school.commit(await school.connect(roster));
  await owner('lms_change').where({ runId: run }).where('position', '<', 2).delete();
  const refused = await revertedAfter(run, thirtyDaysMs).then(() => 'done', issueOf);
  assert.is(refused, 'not_revertible');
  assert.is((await school.userOf('s1')).status, 'active');
  assert.is((await school.userOf('s2')).status, 'active');
});

test('a millisecond before, it is taken back', async () => {
  const run = await school.commit(await school.connect(roster));
  assert.equal(await revertedAfter(run, thirtyDaysMs - 1), { reverted: 4, kept: 0 });
  assert.is((await school.knownAs('s1')).status, 'inactive');
});

test.run();
