// What a handler answers with: a status, a body, headers, and which documents about people are in it.

export interface Answer<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  /** A list: one line each (Set-Cookie). */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Of a route that declares `discloses`; an empty list where this answer gives out no document. */
  readonly discloses?: readonly Disclosure[];
}

/** A document about people by name that leaves with an answer. */
export interface Disclosure {
  /** One of the words that the route declares. */
  readonly document: string;
  /** Which one of its sort: of what, or of whom. */
  readonly id: string;
  readonly organizationId: string;
}

/** What a route says of such documents. */
export interface Disclosing {
  /** Their words, as the record of changes has them. Each answer then says which ones are in it. Default: none. */
  readonly discloses?: readonly string[];
}

export const ok = <Body>(body: Body): Answer<200, Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<201, Body> => ({ status: 201, body });
export const noContent = (): Answer<204, undefined> => ({ status: 204, body: undefined });
