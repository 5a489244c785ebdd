// `npm run migrate`: brings the database of DATABASE_URL to the schema of this version, as a start does. `-- --contract` also
// takes away what older processes use: when the last of them has ended, and after a backup.
import { parseArgs } from 'node:util';
import { ConfigError } from '../src/platform/config/settings.ts';
import { connect } from '../src/platform/db.ts';
import { migrate } from '../src/platform/migrations/migrate.ts';

const { values } = parseArgs({ options: { contract: { type: 'boolean', default: false } } });
const url = process.env.DATABASE_URL;
if (!url) {
  console.error('DATABASE_URL names the database, as the owner of its tables.');
  process.exit(1);
}
const owner = connect(url, { poolSize: 2, statementTimeoutMs: null, asOwner: true });
try {
  await migrate(owner, url, values);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await owner.destroy();
}
