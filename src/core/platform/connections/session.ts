// Settings of the sessions of the run-time roles. Behind a pooler each transaction sets them instead.
import { runtimeSession, sessionWith, type Timeouts, usualTimeouts } from '../timeouts.ts';

/** Temporary tables come last, so that none can shadow a real one. */
export const searchPath = 'public,pg_temp';

/** Returns the settings that can only be passed when a session starts; `actAs` is the role that it assumes at once. */
export const sessionOptions = (actAs?: string): string =>
  [...(actAs === undefined ? [] : [`-c role=${actAs}`]), `-c search_path=${searchPath}`].join(' ');

/** Returns the start parameters of a session, which a pooler rejects. */
export const startParameters = (actAs: string | undefined, statementMs: number | null, timeouts: Timeouts) => ({
  options: sessionOptions(actAs),
  ...(statementMs !== null && { ...sessionWith(timeouts), statement_timeout: statementMs }),
});

/**
 * The settings that each transaction behind a pooler sets. Statements outside of transactions use those that `alter role … set`
 * gives the login.
 */
export const pooledSettings: Readonly<Record<string, string>> = {
  search_path: searchPath,
  ...Object.fromEntries(
    Object.entries({ ...runtimeSession, statement_timeout: usualTimeouts.statementMs }).map(([name, ms]) => [
      name,
      `${ms}`,
    ]),
  ),
};
