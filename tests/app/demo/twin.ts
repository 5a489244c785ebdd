// A second, freshly migrated database beside the test's own, for things that must come out the same twice.
import type { Db } from '#core/platform/db.ts';
import { migrate } from '#core/platform/migrations/migrate.ts';
import { connect, type TestDatabase } from '../../harness/database.ts';

export interface Twin {
  readonly owner: Db;
  readonly app: Db;
  drop(): Promise<void>;
}

export async function makeTwin(database: TestDatabase): Promise<Twin> {
  const name = `${database.name}_twin`;
  const server = connect(database.ownerUrl, { poolSize: 1 });
  await server.raw('create database ??', [name]);
  const ownerUrl = beside(database.ownerUrl, name);
  const owner = connect(ownerUrl, { asOwner: true });
  await migrate(owner, ownerUrl);
  const app = connect(beside(database.appUrl, name));
  return {
    owner,
    app,
    async drop() {
      await app.destroy();
      await owner.destroy();
      await server.raw('drop database ?? with (force)', [name]);
      await server.destroy();
    },
  };
}

function beside(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
