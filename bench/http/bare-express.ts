// The cost of a read without the service: Express, a pool, and for each address in the file ANSWERS the statements that the
// service sends for it, one after the other, and its response, serialized each time. Statements that the service prepares are
// prepared here too.
import fs from 'node:fs';
import express from 'express';
import pg from 'pg';

export interface BareStatement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
  readonly isKept: boolean;
}

export interface BareAnswer {
  readonly statements: readonly BareStatement[];
  readonly body: unknown;
}

const answers = JSON.parse(fs.readFileSync(process.env.ANSWERS ?? '', 'utf8')) as Readonly<Record<string, BareAnswer>>;
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  options: process.env.DATABASE_OPTIONS,
  max: 10,
});

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `kept${names.size}`;
  names.set(text, name);
  return name;
}

async function ask(statements: BareAnswer['statements']): Promise<void> {
  if (statements.length === 0) return;
  const client = await pool.connect();
  try {
    for (const { sql: text, bindings, isKept } of statements) {
      const values = bindings.length > 0 ? [...bindings] : undefined;
      await client.query({ text, ...(values && { values }), ...(isKept && { name: nameOf(text) }) });
    }
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
