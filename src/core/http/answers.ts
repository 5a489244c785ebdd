// The answer of a handler: a status, a body, headers, and the documents about people that it contains.

export interface Answer<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  /** A list becomes one header line for each value (Set-Cookie). */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Set by routes that declare `discloses`; empty if this answer contains no document. */
  readonly discloses?: readonly Disclosure[];
}

/** A document about people, by name, that an answer contains. */
export interface Disclosure {
  /** One of the document kinds that the route declares. */
  readonly document: string;
  /** Identifies the document among those of its kind: the id of its subject. */
  readonly id: string;
  readonly organizationId: string;
}

/** Declares the documents about people that a route may give out. */
export interface Disclosing {
  /** The document kinds, as the record of changes names them. Each answer then lists its documents. Default: none. */
  readonly discloses?: readonly string[];
}

export const ok = <Body>(body: Body): Answer<200, Body> => ({ status: 200, body });
export const created = <Body>(body: Body): Answer<201, Body> => ({ status: 201, body });
export const noContent = (): Answer<204, undefined> => ({ status: 204, body: undefined });
