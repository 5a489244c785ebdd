// Who may see the rows of all organizations is listed with the reason, and each way of reading them is detected.
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { platformFindings, platformScope } from '../../../../scripts/check/imports/platform-scope.ts';
import { readSources } from '../../../../scripts/check/imports/sources.ts';

test('the repository has no findings', () => {
  assert.equal(platformFindings(readSources(path.resolve(import.meta.dirname, '../../../..'))), []);
});

test('a file is listed once', () => {
  const listed = Object.values(platformScope).flat();
  assert.is(new Set(listed).size, listed.length);
});

for (const text of [
  "inContext(services.db, 'SUPER', (trx) => work(trx))",
  "inReadOnlyContext(db, 'SUPER', async (trx) => {})",
  "readTransactionIn(services.db, 'SUPER')",
  "bulkReadingIn(\n    db,\n    'SUPER',\n  )",
  "await enterContext(trx, 'SUPER');",
  "const context = organizationId === null ? 'SUPER' : { organizationId };",
  "const context = organizationId === null ? ('SUPER' as const) : { organizationId };",
  'onPlatform(db, context, work)',
  'besides(trx, (reader) => reader.raw(sql))',
]) {
  test(`detected: ${text}`, () => {
    const findings = platformFindings(new Map([['src/teaching/lessons/service.ts', text]]), {});
    assert.is(findings.length, 1);
    assert.match(findings[0] ?? '', /^src\/teaching\/lessons\/service\.ts reads the rows of all organizations/);
  });
}

test('what is about one organization, or about a persona, is not a finding', () => {
  const text = "inContext(db, { organizationId }, work); user.scope === 'SUPER' ? 'SUPER' : 'ORGANIZATION';";
  assert.equal(platformFindings(new Map([['src/teaching/lessons/service.ts', text]]), {}), []);
});

test('an entry that is not needed is a finding', () => {
  const findings = platformFindings(new Map([['src/teaching/lessons/jobs.ts', '']]), {
    'it was so': ['src/teaching/lessons/jobs.ts'],
  });
  assert.match(findings[0] ?? '', /reads no rows of all organizations/);
});

test.run();
