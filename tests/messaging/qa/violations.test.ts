// Each check finds its violation. That none reports without one is tested on the demo (tests/app/demo).
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { auditState } from '#messaging/qa/audit/store.ts';
import { catalogueOf } from '#messaging/qa/catalogue.ts';
import { activationAt } from '#rules/rulesets/index.ts';
import { isTested } from '../../contract/tested.ts';
import { buildClass, buildStudent, buildTeacher } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { installEverything } from '../../harness/rules.ts';
import { useLooking } from './audit/looking.ts';
import { type Ground, plants } from './plants.ts';

const app = useApp(test, { ownEntries: true });
const { owner } = app.database;
const catalogue = catalogueOf(app.services.capabilities);
const looking = useLooking(test, app);
const { lookAt, lookEverywhere, foundOf } = looking;

test.before(() => installEverything(owner));

async function prepared(): Promise<Ground> {
  const classRow = await buildClass(owner, { grade: 2 });
  await buildTeacher(owner, classRow);
  const student = await buildStudent(owner, classRow);
  const active = await activationAt(owner, app.clock.now());
  return { app, queues: looking.queues(), classRow, student, bundleId: active?.bundleId ?? '' };
}

test('each check has a way in which it comes about, here or in a test of the capability that brings it', () => {
  assert.equal(
    Object.keys(plants).filter((check) => !catalogue.has(check)),
    [],
  );
  for (const { name, probes = [] } of app.services.capabilities)
    for (const { check } of probes) assert.ok(plants[check] ?? isTested(name, `'${check}'`), check);
});

for (const [check, plant] of Object.entries(plants)) {
  test(`${check} finds its violation`, async () => {
    const ground = await prepared();
    assert.equal(await foundOf(check), [], 'before');
    await plant(ground);
    const { organizationId } = ground.classRow;
    await lookAt([platformOrganizationId, organizationId]);
    const found = (await foundOf(check)).map(({ ruleVersion: _, subjectId: __, ...row }) => row);
    const isOfOrganization = found.some((row) => row.organizationId === organizationId);
    assert.equal(found, [
      {
        organizationId: isOfOrganization ? organizationId : null,
        ...{ code: check, subjectType: catalogue.get(check)?.subject },
      },
    ]);
    if (catalogue.get(check)?.kind !== 'audit') return;
    const place = isOfOrganization ? organizationId : platformOrganizationId;
    const { violations } = await inContext(owner, 'SUPER', (trx) => auditState(trx, place));
    assert.is(violations.get(check), 1);
  });
}

test('in no other organization does a check speak of what was found in one', async () => {
  // A finding of low severity is reported at each run.
  const all = async () => [...new Set((await foundOf()).map((row) => JSON.stringify(row)))].sort();
  const found = await all();
  await lookEverywhere();
  assert.equal(await all(), found);
});

test.run();
