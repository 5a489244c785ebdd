// Databases of test files, made before they are needed and dropped while others run.
import type { DatabaseUrls, TestCluster } from './cluster.ts';

export interface DatabasesAhead {
  take(): Promise<{ readonly urls: DatabaseUrls; drop(): void }>;
  /** Resolves when all have been dropped. */
  end(): Promise<void>;
}

/** One database is made while files run, and those of files that have ended go meanwhile: no file waits for a copy. */
export function databasesAhead(cluster: TestCluster): DatabasesAhead {
  const work: Promise<unknown>[] = [];
  let count = 0;
  const make = () => {
    const name = `test_${process.pid}_${count++}`;
    const made = cluster.createDatabase(name).then((urls) => ({ urls, drop: () => drop(name) }));
    // Whoever takes it hears of its failure.
    made.catch(() => {});
    return made;
  };
  const drop = (name: string) => {
    // What is left goes with the server, or with the next run on it.
    work.push(cluster.dropDatabase(name).catch(() => {}));
  };
  let next = make();
  return {
    take() {
      const taken = next;
      next = make();
      return taken;
    },
    async end() {
      await next.then(
        (left) => left.drop(),
        () => {},
      );
      await Promise.all(work);
    },
  };
}
