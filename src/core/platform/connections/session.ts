// What sessions of the run-time roles begin with; behind a pooler each transaction says it instead.
import { runtimeSession, sessionWith, type Timeouts, usualTimeouts } from '../timeouts.ts';

/** Temporary tables come last, so that none can stand in front of a real one. */
export const searchPath = 'public,pg_temp';

/** Settings that only the start of a session can fix; `actAs`: the role that it takes on at once. */
export const sessionOptions = (actAs?: string): string =>
  [...(actAs === undefined ? [] : [`-c role=${actAs}`]), `-c search_path=${searchPath}`].join(' ');

/** What a pooler refuses: settings with which a session begins. */
export const startOf = (actAs: string | undefined, statementMs: number | null, timeouts: Timeouts) => ({
  options: sessionOptions(actAs),
  ...(statementMs !== null && { ...sessionWith(timeouts), statement_timeout: statementMs }),
});

/** The same for a transaction. Statements without one have what `alter role … set` gives the login. */
export const pooledSettings: Readonly<Record<string, string>> = {
  search_path: searchPath,
  ...Object.fromEntries(
    Object.entries({ ...runtimeSession, statement_timeout: usualTimeouts.statementMs }).map(([name, ms]) => [
      name,
      `${ms}`,
    ]),
  ),
};
