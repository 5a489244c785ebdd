// timeout: 120s
// The board of a class over HTTP: tiers, delivery beside response, and one query for the whole class.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { supportQuadrants } from '#support/rti/index.ts';
import { buildClass } from '../../../harness/factories.ts';
import { countRoundTrips } from '../../../harness/statements/round-trips.ts';
import { type Json, type Pupil, wordsWrong } from '../../interventions/workflow/draft-bodies.ts';
import { useDeciding } from '../decisions/world.ts';

const test = suite('board of a class');
const deciding = useDeciding(test);
const { plans, evaluate, moved, reads, weekly, get, recommendation } = deciding;
const trips = countRoundTrips(test, plans.shell.app.database.appUrl, /^insert into rate_limit as w |rule_activation/);

interface Item extends Json {
  readonly studentId: number;
}

async function board(of: Pupil): Promise<Json & { readonly items: readonly Item[] }> {
  const { status, body } = await get(of, `/api/rti/classes/${of.classRow.id}/board`);
  assert.is(status, 200, JSON.stringify(body));
  return body as Json & { readonly items: readonly Item[] };
}

const itemOf = ({ items }: { readonly items: readonly Item[] }, { id }: Pupil) =>
  items.find(({ studentId }) => studentId === id);

test('no progress with delivery, no progress without, and no quadrant without support', async () => {
  const inCore = await plans.pupil({ ...wordsWrong, LIS_LITERAL: 'UUUU' });
  await evaluate(inCore);
  const [given, withheld] = [await plans.classmate(inCore), await plans.classmate(inCore)];
  for (const pupil of [given, withheld]) {
    await moved(pupil, 1, 2, '2025-11-23');
    await plans.given(pupil, { startOn: '2025-11-23' });
    await reads(pupil, { '2025-10-05': 14, '2025-10-06': 12, '2025-10-08': 15 });
    await reads(pupil, { '2025-12-03': 13, '2025-12-10': 12, '2025-12-17': 11 });
  }
  await weekly(given, '2025-11-23', [3, 3, 3, 3, 3, 3, 3]);
  await evaluate(given);
  const unmeasured = await plans.classmate(inCore, null);
  const found = await board(inCore);
  assert.equal(itemOf(found, inCore), {
    ...{ studentId: inCore.id, tier: 1, weeksInTier: itemOf(found, inCore)?.weeksInTier },
    ...{ openAlertKind: 'Student_Alert', gate: 'not_applicable', progress: 'unknown', ruleId: 'TRC-06' },
    responseSquare: null,
  });
  assert.equal(itemOf(found, given), {
    ...{ studentId: given.id, tier: 2, weeksInTier: 7, openAlertKind: 'Intensive_Review', gate: 'pass' },
    ...{ progress: 'below', ruleId: 'TRC-07', responseSquare: { delivery: 'pass', response: 'below' } },
  });
  assert.equal(itemOf(found, withheld)?.responseSquare, { delivery: 'fail', response: 'below' });
  assert.is(itemOf(found, unmeasured)?.ruleId, 'TRC-01');
  assert.equal(found.squares, { pass_below: 1, fail_below: 1 });
  const { app, services } = plans.shell;
  const { organizationId } = inCore;
  const studentIds = [inCore, given, withheld, unmeasured].map(({ id }) => id);
  const squares = await inContext(app.database.app, { organizationId }, (trx) =>
    supportQuadrants(trx, services, { organizationId, studentIds, now: app.clock.now() }),
  );
  assert.equal(
    [...squares],
    [
      [given.id, 'pass_below'],
      [withheld.id, 'fail_below'],
    ],
  );
  for (const pupil of [inCore, given, withheld]) {
    assert.is((await recommendation(pupil)).ruleId, itemOf(found, pupil)?.ruleId);
  }
});

test('a class of many is asked for in as many statements as a class of one', async () => {
  const costs: number[] = [];
  for (const size of [1, 8]) {
    const pupil = await plans.pupil();
    for (let more = 1; more < size; more += 1) await plans.classmate(pupil);
    await board(pupil);
    trips.restart();
    assert.is((await board(pupil)).items.length, size);
    costs.push(trips.since().statements.length);
  }
  assert.is(new Set(costs).size, 1, JSON.stringify(costs));
});

test('a class without students is an empty board', async () => {
  const pupil = await plans.pupil();
  const { id: _id, ...columns } = pupil.classRow;
  const empty = await buildClass(plans.shell.app.database.owner, { ...columns, name: 'empty' });
  const path = `/api/rti/classes/${empty.id}/board`;
  const { status, body } = await get(pupil, path, await plans.admin(pupil));
  assert.equal([status, body.items, body.squares], [200, [], {}]);
  assert.is((await get(pupil, path)).status, 403);
});

test.run();
