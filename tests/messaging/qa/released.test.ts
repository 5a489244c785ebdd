// Correctly published counts of schools cause no finding; one visible count that is too small does.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { auditOrganization } from '#messaging/qa/audit/run.ts';
import { auditState } from '#messaging/qa/audit/store.ts';
import { nightlyRelease } from '#outcomes/aggregates/releases/nightly.ts';
import { useApp } from '../../harness/http.ts';
import { buildSchools, storeEvaluations } from '../../outcomes/aggregates/releases/evaluated-schools.ts';

const app = useApp(test, { rules: true, ownEntries: true });
const { clock, services } = app;
const { owner } = app.database;

const cycle = ['Meets', 'Meets', 'Approaching', 'Below', 'Meets', 'Severe', 'More_Data'];

test('two schools and their organization, then a count of two that is not hidden', async () => {
  const schools = await buildSchools(owner, [[10, 10, 12], [25]]);
  const { organizationId } = schools;
  const students = schools.schools.flatMap(({ classes }) => classes.flatMap((one) => one.students));
  const evaluatedRows = students.map((studentId, at) => ({
    ...{ studentId, bands: cycle[at % cycle.length] ?? '', sufficient: at % 3 > 0 },
  }));
  await storeEvaluations(owner, organizationId, evaluatedRows, { at: '2025-11-20T09:00:00.000Z' });
  clock.set('2025-11-30T23:00:00.000Z');
  await nightlyRelease(services, { organizationId, date: '2025-12-01' });
  const count = async () => {
    await auditOrganization(services, organizationId);
    const { violations } = await inContext(owner, 'SUPER', (trx) => auditState(trx, organizationId));
    return ['AGGREGATE_CELL_SMALL', 'AGGREGATE_PUBLISHED_TWICE'].map((check) => violations.get(check));
  };
  const [cell] = await owner('aggregate_cell').where({ organizationId, suppressed: true });
  assert.ok(cell, 'something is hidden');
  assert.equal(await count(), [0, 0]);
  const [hidden] = Object.entries(cell.counts as object).find(([, value]) => value === null) ?? [];
  await owner.transaction(async (trx) => {
    await trx.raw("set local session_replication_role = 'replica'");
    await trx('aggregate_cell')
      .where({ organizationId, ledgerNo: cell.ledgerNo })
      .update({ counts: JSON.stringify({ ...cell.counts, [hidden ?? '']: 2 }) });
  });
  assert.equal(await count(), [1, 0]);
});

test.run();
