// What the tests need to know of a route besides its declaration: ids and a body with which the service accepts the
// request.
import type { Route } from '#core/http/route.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Person } from '../../harness/world.ts';
import type { Caller } from '../operations/access.ts';
import type { Target } from './targets.ts';

/**
 * Groups of ids. `tenant`: ids that determine the organization of the request, mostly in the path. `content`: further
 * ids in the body. `filter`: ids in the query of a list, for which an absent row gives an empty page instead of 404.
 */
export type Slot = 'tenant' | 'content' | 'filter';

export interface Aim {
  /** The target from which the ids of each slot are taken. */
  readonly at: Readonly<Record<Slot, Target>>;
  readonly app: TestApp;
  /** Undefined for an anonymous caller. */
  readonly caller: Person | undefined;
}

export interface Request {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Entry {
  /** The slots in use. Each is tested with ids of the other organization and with absent ids. Default: none. */
  readonly slots?: readonly Slot[];
  /** Builds a request that is valid if its ids are. */
  readonly request?: (aim: Aim) => Request | Promise<Request>;
  /** Statuses that do not follow from permission and reach of the table, with the reason beside them. */
  readonly expect?: Partial<Record<Caller, number>> | number;
  /** Callers who are refused before any id of the body is looked up: absent rows do not change their response. */
  readonly refusedFirst?: readonly Caller[];
  /** The request ends the caller's session, so each call signs in first. */
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
