// What the walks need to know of a route that cannot be read from it: which ids and which body make a request that the
// service would accept.
import type { Route } from '#core/http/route.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Person } from '../../harness/world.ts';
import type { Caller } from '../operations/access.ts';
import type { Target } from './targets.ts';

/**
 * Ids that are aimed together. `place`: they decide whose organization the request is about, mostly in the path;
 * `content`: further ids in the body; `filter`: ids in the query of a list, which find nothing instead of answering 404.
 */
export type Slot = 'place' | 'content' | 'filter';

export interface Aim {
  /** Where the ids of each slot come from. */
  readonly at: Readonly<Record<Slot, Target>>;
  readonly app: TestApp;
  /** undefined: nobody. */
  readonly caller: Person | undefined;
}

export interface Request {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Entry {
  /** The slots in use: each is aimed at the other organization and at nothing. Default: none. */
  readonly slots?: readonly Slot[];
  /** Builds a request that is valid in all but its aim. */
  readonly request?: (aim: Aim) => Request | Promise<Request>;
  /** Statuses that do not follow from the table's permission and reach, with the reason beside them. */
  readonly expect?: Partial<Record<Caller, number>> | number;
  /** Who is refused before any id of the body is looked up: absent rows change nothing for them. */
  readonly refusedFirst?: readonly Caller[];
  /** The request ends the caller's session: sign in for it alone. */
  readonly endsSession?: true;
}

export type Entries = Readonly<Record<string, Entry>>;

export function pathOf(route: Route, { params = {}, query = {} }: Request): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}
