// A scope that finds the student or class of a row by a subquery: both statements name the caller's organization.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { findClassInReach, findOwnerInReach } from '#identity/people/index.ts';
import { useApp } from '../../../harness/http.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';

const app = useApp(test, { rules: true });
const { app: db, owner } = app.database;
let tenant: Tenant;
test.before(async () => {
  tenant = await buildTenant(app);
});

/** Returns the tables that a statement reads, with the expression that names the organization of each. */
function readAndHeld(sql: string) {
  const inner = /\(select .*? from "enrollment"(?: as "(\w+)")?(.*)\)/s.exec(sql);
  assert.ok(inner, sql);
  return { alias: inner?.[1] ?? 'enrollment', text: inner?.[2] ?? '' };
}

test('the subquery names the organization by the alias of its own table', async () => {
  const { organizationId, people } = tenant;
  const actor = { organizationId, userId: people.ADMIN.id, persona: 'ADMIN', permissions: new Set() } as never;
  const studentId = people.STUDENT.id;
  for (const alias of ['', ' as j']) {
    const sent = await sentStatements(db, () =>
      inContext(db, { organizationId }, async (trx) => {
        const at = alias === '' ? 'enrollment' : 'j';
        const rows = () =>
          trx(`enrollment${alias}`)
            .where({ [`${at}.studentId`]: studentId })
            .limit(1);
        await findOwnerInReach({ trx, actor }, rows().select(`${at}.studentId`), ['ADMIN']);
        await findClassInReach({ trx, actor }, rows().select(`${at}.classId`), ['ADMIN']);
      }),
    );
    const nested = sent.filter((sql) => /\(select [^(]* from "enrollment"/.test(sql));
    assert.is(nested.length, 2);
    for (const sql of nested) {
      const { alias: name, text } = readAndHeld(sql);
      assert.match(text, new RegExp(`"${name}"."organization_id" = \\$`), sql);
    }
  }
  assert.ok(await owner('enrollment').where({ studentId }).first());
});

test.run();
