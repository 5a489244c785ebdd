// What a read costs without the service: Express, a pool, and for each address in the file ANSWERS the statements that
// the service sends for it, one after the other, and its answer as JSON, written anew each time.
import fs from 'node:fs';
import express from 'express';
import pg from 'pg';

export interface BareAnswer {
  readonly statements: readonly { readonly sql: string; readonly bindings: readonly unknown[] }[];
  readonly body: unknown;
}

const answers = JSON.parse(fs.readFileSync(process.env.ANSWERS ?? '', 'utf8')) as Readonly<Record<string, BareAnswer>>;
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  options: process.env.DATABASE_OPTIONS,
  max: 10,
});

async function ask(statements: BareAnswer['statements']): Promise<void> {
  if (statements.length === 0) return;
  const client = await pool.connect();
  try {
    for (const { sql, bindings } of statements)
      await client.query(sql, bindings.length > 0 ? [...bindings] : undefined);
  } finally {
    client.release();
  }
}

const app = express();
for (const [path, { statements, body }] of Object.entries(answers))
  app.get(path, async (_request, response) => {
    await ask(statements);
    response.json(body);
  });
app.listen(Number(process.env.PORT), '127.0.0.1', () => process.stdout.write('ready\n'));
