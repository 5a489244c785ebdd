// `npm run migrate`: migrates the database of DATABASE_URL to the schema of this version, as a start does. `-- --contract` also
// removes what older processes use: run it when the last of them has ended, and after a backup. `-- --print-roles` prints the
// SQL with which an administrator creates the logins, without a database.
import { parseArgs } from 'node:util';
import { ConfigError } from '#core/platform/config/settings.ts';
import { rolesSql } from '#core/platform/connections/roles.ts';
import { connect } from '#core/platform/db.ts';
import { migrate } from '#core/platform/migrations/migrate.ts';

const options = {
  contract: { type: 'boolean', default: false },
  'print-roles': { type: 'boolean', default: false },
} as const;
const { values } = parseArgs({ options });
const { DATABASE_URL: databaseUrl, DATABASE_APP_URL: databaseAppUrl } = process.env;

if (values['print-roles']) process.stdout.write(rolesSql({ databaseUrl, databaseAppUrl }));
else if (databaseUrl) await migrated(databaseUrl);
else fail('DATABASE_URL names the database, as the owner of its tables.');

async function migrated(url: string): Promise<void> {
  const owner = connect(url, { poolSize: 2, statementTimeoutMs: null, asOwner: true });
  try {
    await migrate(owner, url, values);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    fail(error.message);
  } finally {
    await owner.destroy();
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
