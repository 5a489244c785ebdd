// One function creates assignments, one changes them, and nothing else writes their rows (contract 50 §2.4). For a halted
// student the function creates none, for any caller (INV-8).
import fs from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { activateBundle } from '#support/interventions/assignments/activate.ts';
import { situationsOf } from '#support/interventions/situations/situations.ts';
import { lockSupport } from '#support/interventions/support/lock.ts';
import { allRight, type Pupil, usePlans } from '../workflow/draft-bodies.ts';

const test = suite('the single writer of assignments');
const plans = usePlans(test);
const { app, services } = plans.shell;

const sources = ['src', 'workers'].flatMap((folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name)),
);

const writers: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['src/support/interventions/assignments/activate.ts', /BundleAssignment\s*\.query\([^)]*\)\s*\.insert/],
  [
    'src/support/interventions/assignments/change.ts',
    /BundleAssignment\s*\.query\([^)]*\)[^;]*\.(patch|update|delete)/,
  ],
];

test('one file inserts, one changes, none does so past the model', () => {
  for (const [file, pattern] of writers) {
    const found = sources.filter((source) => pattern.test(fs.readFileSync(source, 'utf8')));
    assert.equal(found, [file]);
  }
  const past =
    /(insert into|update|delete from)\s+"?bundle_assignment|\('bundle_assignment'\)[^;]*\.(insert|update|delete|patch)/i;
  assert.equal(
    sources.filter((source) => past.test(fs.readFileSync(source, 'utf8'))),
    [],
  );
});

async function give(pupil: Pupil, bundleId: string): Promise<void> {
  const { organizationId, id } = pupil;
  const now = app.clock.now();
  await inContext(services.db, { organizationId }, async (trx) => {
    await lockSupport(trx, organizationId, [id]);
    const { situations, rules, versions } = await situationsOf(trx, services, {
      organizationId,
      studentIds: [id],
      now,
    });
    const situation = situations.get(id);
    if (!situation) throw new Error('no such student');
    const input = {
      ...{ organizationId, bundle_id: bundleId, startOn: situation.today, overrideCode: null, actor: { userId: 1 } },
      scaffoldTier: 'Level_2',
      deliveryMode: 'blended',
      source: { type: 'individual', clusterKey: null, generationId: null },
    } as const;
    await activateBundle(trx, input, { situation, rules, versions }, now);
  });
}

async function thrown(work: Promise<void>): Promise<string> {
  const [outcome] = await Promise.allSettled([work]);
  return outcome.status === 'rejected' ? String((outcome.reason as Error).name) : 'nothing';
}

test('INV-8: the writer itself throws while a student is halted: never measured, too little, incomplete', async () => {
  const well = await plans.pupil(allRight);
  const never = await plans.classmate(well, null);
  const few = await plans.classmate(well, { ...allRight, DEC_WORD: 'UC' });
  const incomplete = await plans.classmate(well, { LK_SOUND: 'CCCC' });
  for (const halted of [never, few, incomplete]) {
    const before = await plans.written(halted);
    assert.is(await thrown(give(halted, 'SUP-DECODE-01')), 'HaltedError');
    assert.equal(await plans.written(halted), before);
  }
  assert.is(await thrown(give(well, 'SUP-DECODE-01')), 'nothing');
});

test('the writer refuses what the routes refuse: unknown, not for the grade, not assignable, already open, too many', async () => {
  const pupil = await plans.pupil(allRight);
  for (const bundleId of ['NO-SUCH-01', 'BND-DECODE-02', 'NIO-CORE-01']) {
    assert.is(await thrown(give(pupil, bundleId)), 'AppError', bundleId);
  }
  await give(pupil, 'SUP-DECODE-01');
  assert.is(await thrown(give(pupil, 'SUP-DECODE-01')), 'AppError');
  await give(pupil, 'SUP-LETTER-01');
  assert.is(await thrown(give(pupil, 'SUP-PHON-01')), 'AppError');
  assert.is(((await plans.written(pupil)).assignments as unknown[]).length, 2);
});

test('the database keeps what an assignment was made with, and a second open one of a bundle out', async () => {
  const pupil = await plans.pupil();
  const assignmentId = await plans.given(pupil);
  const { organizationId } = pupil;
  for (const column of ['bundleId', 'startOn', 'recommendation', 'activatedBy', 'overrideCode', 'facts', 'studentId']) {
    const change = inContext(services.db, { organizationId }, async (trx) => {
      await trx('bundle_assignment')
        .where({ organizationId, id: assignmentId })
        .update({ [column]: null });
    });
    assert.match(String((await Promise.allSettled([change]))[0]?.status), 'rejected', column);
  }
  const { id: _id, ...row } = await plans.row(pupil, assignmentId);
  const json = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  const copy = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, json(value)]));
  const twice = inContext(app.database.owner, { organizationId }, async (trx) => {
    await trx('bundle_assignment').insert({ ...copy, id: newId() });
  });
  const [outcome] = await Promise.allSettled([twice]);
  assert.match(String(outcome.status === 'rejected' && outcome.reason), 'bundle_assignment_one_open');
});

test.run();
