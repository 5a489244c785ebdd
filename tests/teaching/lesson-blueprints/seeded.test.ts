// The batch of the release after a first start: published once, with a blueprint for every step of an assignment.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { activeBlueprintHeads, findBlueprint } from '#teaching/lesson-blueprints/index.ts';
import { blueprintSeed, otherFormsFile, shippedFile } from '#teaching/lesson-blueprints/shipped/install.ts';
import { useDatabase } from '../../harness/database.ts';

const { owner, app } = useDatabase(test);
const now = new Date('2026-01-12T08:00:00.000Z');
const start = () => inContext(owner, 'SUPER', (trx) => blueprintSeed(shippedFile)(trx, now));

interface Entry {
  readonly bundle_id: string;
  readonly state: string;
  readonly grades: readonly number[];
  readonly steps: readonly { readonly stepNo: number; readonly sessionRole: string }[];
}

test('every step of every assignable bundle has an active blueprint at each grade', async () => {
  await start();
  const heads = await inContext(app, 'SUPER', (trx) => activeBlueprintHeads(trx, {}));
  const { bundles } = (await loadNewestBundle('rules')).values<{ readonly bundles: readonly Entry[] }>(
    'bundle/catalogue',
  );
  const places = bundles
    .filter(({ state }) => state === 'active')
    .flatMap(({ bundle_id, grades, steps }) =>
      steps.flatMap(({ stepNo, sessionRole }) => grades.map((grade) => [bundle_id, stepNo, sessionRole, grade].join())),
    );
  const there = new Set(heads.map((one) => [one.bundle_id, one.stepNo, one.sessionRole, one.grade].join()));
  assert.ok(places.length > 300, String(places.length));
  assert.equal(
    places.filter((place) => !there.has(place)),
    [],
  );
  assert.equal([...new Set(heads.map(({ version, scaffoldTier }) => `${version} ${scaffoldTier}`))], ['1 null']);
  const stored = await inContext(app, 'SUPER', (trx) => findBlueprint(trx, heads[0]?.blueprintId ?? ''));
  assert.ok((stored?.content.items.length ?? 0) > 0);
});

test('a second start writes nothing', async () => {
  const count = async () => (await owner('session_blueprint').count())[0]?.count;
  const before = await count();
  await start();
  assert.is(await count(), before);
  assert.is(Number((await owner('blueprint_batch').count())[0]?.count), 1);
});

test('the second batch adds form B of goal steps, and a place has both forms', async () => {
  await inContext(owner, 'SUPER', (trx) => blueprintSeed(otherFormsFile)(trx, now));
  const heads = await inContext(app, 'SUPER', (trx) => activeBlueprintHeads(trx, {}));
  const others = heads.filter(({ form }) => form === 'B');
  const placeOf = ({ bundle_id, stepNo, grade, anchorSkillGroup }: (typeof heads)[number]) =>
    [bundle_id, stepNo, grade, anchorSkillGroup].join();
  const firsts = new Set(heads.filter(({ form }) => form === 'A').map(placeOf));
  assert.ok(others.length > 300, String(others.length));
  assert.ok(others.every((one) => firsts.has(placeOf(one))));
  assert.is(Number((await owner('blueprint_batch').count())[0]?.count), 2);
});

test.run();
