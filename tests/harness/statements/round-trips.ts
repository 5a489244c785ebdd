// Counts the round trips to the database.
import pg from 'pg';
import type { Test } from 'uvu';
import { platformUrl } from '#core/platform/connections/pools.ts';

export interface RoundTrips {
  /** Number of statements sent on a connection that was idle. */
  readonly count: number;
  /** In the order of sending. */
  readonly statements: readonly string[];
}

export interface RoundTripCounter {
  since(): RoundTrips;
  restart(): void;
}

type Done = (error: unknown, result: unknown) => void;
type Query = (config: { readonly text: string } | string, ...rest: unknown[]) => unknown;

/**
 * Counts, at the driver, what this process sends as the login of `url` and as the platform's login, from before the
 * first test until after the last. Statements that match `apart` belong to no request.
 */
export function countRoundTrips<Context>(test: Test<Context>, url: string, apart: RegExp): RoundTripCounter {
  const logins = [url, platformUrl(url)].map((each) => decodeURIComponent(new URL(each).username));
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const underWay = new WeakMap<object, number>();
  let [count, statements]: [number, string[]] = [0, []];
  test.before(() => {
    prototype.query = function (this: pg.Client, config, ...rest) {
      const done = rest.pop();
      const text = typeof config === 'string' ? config : config.text;
      if (!logins.includes(this.user ?? '') || apart.test(text) || typeof done !== 'function')
        return query.call(this, config, ...rest, done);
      const others = underWay.get(this) ?? 0;
      if (others === 0) count += 1;
      underWay.set(this, others + 1);
      statements.push(text);
      const counted: Done = (error, result) => {
        underWay.set(this, (underWay.get(this) ?? 1) - 1);
        done(error, result);
      };
      return query.call(this, config, ...rest, counted);
    };
  });
  test.after(() => {
    prototype.query = query;
  });
  return {
    since: () => ({ count, statements }),
    restart: () => {
      [count, statements] = [0, []];
    },
  };
}
