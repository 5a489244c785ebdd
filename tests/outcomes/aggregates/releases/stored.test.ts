// What was released stays as it is, is written whole or not at all, and is read by unit.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { object } from '#core/http/schemas.ts';
import { inContext } from '#core/platform/db.ts';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { presentAggregate, releasedHead, tileCell } from '#outcomes/aggregates/present.ts';
import { appendRelease, releasedIn } from '#outcomes/aggregates/releases/rows/publish.ts';
import { releasedCells } from '#outcomes/aggregates/releases/rows/releases.ts';
import { Aggregate, aggregateHead, SufficiencyAggregate } from '#outcomes/aggregates/schemas.ts';
import { useDatabase } from '../../../harness/database.ts';
import { buildClass } from '../../../harness/factories.ts';

const { owner, app } = useDatabase(test);

const season = { schoolYear: '2025-2026', season: 'MOY' } as const;
const counts = { Meets: 12, Approaching: null, Below: null, Severe: 0, More_Data: 6 };
const tile = { space: 'tile', subject: 'RF', students: 23, counts } as const;

const released = (organizationId: string, unitId: string) => ({
  ...{ organizationId, unit: 'school', unitId, ...season },
  ...{ releasedAt: new Date('2026-02-01T23:00:00.000Z'), asOf: '2026-01-30T08:00:00.000Z' },
  ruleVersions: { 'band-descriptions/manager': 1 },
});

async function schoolWithRelease() {
  const { id: classId, organizationId, schoolId } = await buildClass(owner);
  const cells = [
    { unit: 'school', unitId: schoolId, ...tile },
    { unit: 'class', unitId: String(classId), ...tile },
  ] as const;
  const counted = [
    { classId, space: 'tile', subject: 'RF', unmeasured: 0, counts: { ...counts, Approaching: 3, Below: 2 } },
  ] as const;
  const publish = () =>
    inContext(app, { organizationId }, (trx) =>
      appendRelease(trx, released(organizationId, schoolId) as never, { cells, counts: counted }),
    );
  await publish();
  const read = (question: object) =>
    inContext(app, { organizationId }, (trx) => releasedCells(trx, organizationId, question as never));
  return { organizationId, schoolId, classId, publish, read };
}

test('a class and its school are read with the head of their release, and shown as they were published', async () => {
  const { organizationId, schoolId, classId, read } = await schoolWithRelease();
  const ofClass = (await read({ unit: 'class', ids: [classId] })).get(String(classId));
  const ofSchool = (await read({ unit: 'school', ids: [schoolId], season })).get(schoolId);
  assert.equal(ofClass, ofSchool);
  const shown = presentAggregate({ tileCode: 'RF', nameAr: 'المهارات' }, tileCell(ofClass, 'RF'));
  assert.equal(shown, { tileCode: 'RF', nameAr: 'المهارات', students: 23, counts, suppressed: true });
  assert.equal(releasedHead(ofClass), {
    basis: 'released',
    release: { ...season, releasedAt: '2026-02-01T23:00:00.000Z' },
    asOf: '2026-01-30T08:00:00.000Z',
    ruleVersions: { 'band-descriptions/manager': 1 },
  });
  const wrongIn = jsonValidator(() =>
    object({ ...aggregateHead, tiles: Aggregate, sufficiency: SufficiencyAggregate }),
  );
  const sufficiency = { sufficient: null, insufficient: 6, contextual: null, suppressed: true };
  assert.equal([...wrongIn({ ...releasedHead(ofClass), tiles: shown, sufficiency })], []);
  const units = await inContext(app, { organizationId }, (trx) => releasedIn(trx, organizationId, season));
  assert.equal(units, [{ unit: 'school', unitId: schoolId }]);
});

test('before the first release every count is null', async () => {
  const { read, classId } = await schoolWithRelease();
  const none = (await read({ unit: 'class', ids: [classId], season: { ...season, season: 'EOY' } })).get(
    String(classId),
  );
  assert.is(none, undefined);
  assert.is(releasedHead(none).release, null);
  const { counts: shown, suppressed } = presentAggregate({ tileCode: 'RF', nameAr: 'المهارات' }, tileCell(none, 'RF'));
  assert.equal([Object.values(shown), suppressed], [[null, null, null, null, null], true]);
});

test('the newest release of a unit is read, whatever was written last', async () => {
  const { organizationId, schoolId, read } = await schoolWithRelease();
  const later = {
    ...released(organizationId, schoolId),
    season: 'EOY',
    releasedAt: new Date('2026-06-01T23:00:00.000Z'),
  };
  const earlier = { ...later, season: 'BOY', releasedAt: new Date('2025-12-01T23:00:00.000Z') };
  for (const release of [later, earlier])
    await inContext(app, { organizationId }, (trx) =>
      appendRelease(trx, release as never, { cells: [{ unit: 'school', unitId: schoolId, ...tile }], counts: [] }),
    );
  assert.is((await read({ unit: 'school', ids: [schoolId] })).get(schoolId)?.season, 'EOY');
});

test('a unit is released once a season, and its rows cannot be changed or removed', async () => {
  const { publish, organizationId } = await schoolWithRelease();
  assert.match(await refusal(publish()), 'duplicate key');
  for (const table of ['aggregate_release', 'aggregate_cell', 'aggregate_count'])
    for (const sql of [`update ${table} set season = 'BOY'`, `delete from ${table}`, `truncate ${table} cascade`]) {
      assert.match(await refusal(owner.raw(sql)), 'append-only', sql);
      if (!sql.startsWith('truncate'))
        assert.match(
          await refusal(inContext(app, { organizationId }, (trx) => trx.raw(sql))),
          'permission denied',
          sql,
        );
    }
});

const refusal = (work: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(work).then(
    () => 'accepted',
    (error: unknown) => String(error),
  );

test.run();
