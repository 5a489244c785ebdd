// Databases of test files, created before they are needed and dropped in the background.
import type { DatabaseUrls, TestCluster } from './cluster.ts';

export interface PreparedDatabases {
  take(): Promise<{ readonly urls: DatabaseUrls; drop(): void }>;
  /** Resolves when all have been dropped. */
  end(): Promise<void>;
}

/** Creates the next database while files run, and drops those of finished files meanwhile, so that no file waits for a copy. */
export function prepareDatabases(cluster: TestCluster): PreparedDatabases {
  const work: Promise<unknown>[] = [];
  let count = 0;
  const create = () => {
    const name = `test_${process.pid}_${count++}`;
    const created = cluster.createDatabase(name).then((urls) => ({ urls, drop: () => drop(name) }));
    // The error is reported to the caller of `take`.
    created.catch(() => {});
    return created;
  };
  const drop = (name: string) => {
    // A database that cannot be dropped is removed with the server, or by the next run on it.
    work.push(cluster.dropDatabase(name).catch(() => {}));
  };
  let next = create();
  return {
    take() {
      const taken = next;
      next = create();
      return taken;
    },
    async end() {
      await next.then(
        (unused) => unused.drop(),
        () => {},
      );
      await Promise.all(work);
    },
  };
}
