// `npm run generate`: writes the files that are derived from the code (database schema, API description, events,
// configuration), so that reviewers see the effects of a change. `--check` writes nothing and names stale files.
import fs from 'node:fs';
import { allRoutes } from '#app/app.ts';
import { capabilities } from '#app/capabilities.ts';
import { openApiDocument } from '#core/http/description/openapi.ts';
import { connect } from '#core/platform/db.ts';
import { startTestCluster } from '../test/cluster.ts';
import { configurationDocument } from './configuration-doc.ts';
import { eventsDocument } from './events-doc.ts';
import { dumpSchema } from './schema-dump.ts';

const generators: Readonly<Record<string, () => Promise<string>>> = {
  'migrations/schema.sql': freshSchema,
  'docs/operations/configuration.md': async () => configurationDocument(),
  'docs/events.md': async () => eventsDocument(capabilities),
  'openapi.json': async () => `${JSON.stringify(openApiDocument(allRoutes()), null, 2)}\n`,
};

// The work ends within seconds and then stops its database, which an immediate exit would leave running.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});

const checkOnly = process.argv.includes('--check');
const stale: string[] = [];
for (const [file, generate] of Object.entries(generators)) {
  const text = await generate();
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) continue;
  stale.push(file);
  if (!checkOnly) fs.writeFileSync(file, text);
}
if (checkOnly && stale.length > 0) {
  console.error(`Stale: ${stale.join(', ')}. Run: npm run generate`);
  process.exitCode = 1;
} else {
  console.log(stale.length === 0 ? 'Everything is up to date.' : `Written: ${stale.join(', ')}`);
}

async function freshSchema(): Promise<string> {
  const cluster = await startTestCluster();
  const name = `generate_${process.pid}`;
  try {
    const { owner } = await cluster.createDatabase(name);
    const db = connect(owner);
    try {
      return await dumpSchema(db);
    } finally {
      await db.destroy();
      await cluster.dropDatabase(name);
    }
  } finally {
    await cluster.stop();
  }
}
