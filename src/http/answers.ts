// What a handler answers with: a status, a body, headers.

export interface Answer<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  /** A list: one line each (Set-Cookie). */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export const ok = <Body>(body: Body): Answer<200, Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<201, Body> => ({ status: 201, body });
export const noContent = (): Answer<204, undefined> => ({ status: 204, body: undefined });
