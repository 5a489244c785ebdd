// Every explainer looks for its row in all organizations, and names them: the keys of all tables begin with the organization.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { explainStamp } from '#backoffice/workbench/explain/explainers.ts';
import { readTransactionIn } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { useApp } from '../../../harness/http.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { namelessTables } from '../../../harness/statements/sql-scopes.ts';
import { tenantTables } from '../../../harness/statements/statements.ts';

const { services, database } = useApp(test, { rules: true });

/** One form for each kind of row: a number, an id, and what is made of several. No one has any of them. */
const ids = ['7', newId(), `${newId()}.FLUENCY`, '7.2025-2026.reversal', `${newId()}.7`];

for (const { kinds } of services.capabilities.flatMap(({ explainers = [] }) => explainers)) {
  for (const kind of kinds) {
    test(`${kind}: a row that is not there is looked for by organization and id`, async () => {
      const tables = await tenantTables(database.owner);
      const ask = (id: string) =>
        explainStamp(readTransactionIn(services.db, 'SUPER'), services, `${kind}:${id}`).catch(({ code }) => code);
      const sent = await sentStatements(services.db, async () => {
        for (const id of ids) assert.is(await ask(id), 'NOT_FOUND');
      });
      const asked = sent.filter((sql) => [...tables].some((table) => sql.includes(`from "${table}"`)));
      assert.ok(asked.length > 0, 'no table was asked');
      assert.equal(
        asked.filter((sql) => namelessTables(sql, tables).length > 0),
        [],
      );
    });
  }
}

test.run();
