// The lists of a OneRoster service, page by page (OneRoster 1.1 and 1.2, REST binding, pagination): by the `Link` to the next
// page where there is one, else by `limit` and `offset`.
import type { Told } from '../../reaching/exchange.ts';
import { type AskFor, idOf, memberOf } from '../authorized.ts';
import { protocolFault } from '../faults.ts';
import { listCount } from '../limits.ts';
import { linksIn } from './links.ts';

export type Collection = 'classes' | 'users' | 'enrollments';

/** A row has its `sourcedId`, 1–255 characters. */
export type OneRosterRow = Readonly<Record<string, unknown>> & { readonly sourcedId: string };

export interface ListPlace {
  readonly root: string;
  readonly collection: Collection;
  /** Rows of a page. */
  readonly limit?: number;
  /** At most; of all lists unless a test says otherwise. */
  readonly pages?: number;
}

export const usualLimit = 500;

/**
 * Each page's rows, in the service's order; a page without rows ends the list. Throws ProviderFault `provider_protocol` for what
 * is no list of this kind, for more rows than were asked for, for a link that leads to another origin or back, and for a list
 * without end.
 */
export async function* pagesOf(ask: AskFor, place: ListPlace): AsyncGenerator<readonly OneRosterRow[]> {
  const { root, collection, limit = usualLimit } = place;
  const count = listCount(place.pages);
  const visited = new Set<string>();
  let offset = 0;
  let firstId: string | undefined;
  let keepsLimit = false;
  let url: URL | undefined = pageUrl(root, collection, limit, 0);
  while (url) {
    if (visited.has(url.href)) throw protocolFault('The provider links back to a page that was read.');
    visited.add(url.href);
    const told = await ask(url);
    if (!told) throw protocolFault(`The provider has no list of ${collection}.`);
    const rows = rowsOf(told, collection, limit);
    // A service that knows no pages gives all of its rows again and again.
    if (offset > 0 && firstId !== undefined && rows[0]?.sourcedId === firstId) return repeated(offset, limit);
    count.add(rows.length);
    firstId ??= rows[0]?.sourcedId;
    if (rows.length > 0) yield rows;
    offset += rows.length;
    keepsLimit ||= rows.length === limit;
    const next = nextOf(told, { current: url, rows: rows.length, offset });
    if (rows.length === 0) return;
    const isLast = keepsLimit && rows.length < limit;
    url = next ?? followed(told, { isLast, offset, next: pageUrl(root, collection, limit, offset) });
  }
}

export function pageUrl(root: string, collection: Collection, limit: number, offset: number): URL {
  const url = new URL(`${root}/${collection}`);
  url.search = new URLSearchParams({ limit: String(limit), offset: String(offset) }).toString();
  return url;
}

function repeated(read: number, limit: number): void {
  if (read >= limit) throw protocolFault('The provider gives the same page again and again.');
}

/** Throws ProviderFault `provider_protocol` for what is no list of this kind, and for more than `most` rows, unseen. */
export function rowsOf({ json }: Told, collection: Collection, most: number): readonly OneRosterRow[] {
  const rows = memberOf(json, collection);
  if (!Array.isArray(rows)) throw protocolFault(`The provider's answer is no list of ${collection}.`);
  if (rows.length > most) throw protocolFault(`The provider gives more ${collection} than were asked for.`);
  return rows.map((row) => {
    const sourcedId = idOf(memberOf(row, 'sourcedId'));
    if (sourcedId === undefined || sourcedId.length > 255) {
      throw protocolFault(`A row of the provider's ${collection} has no sourcedId.`);
    }
    return typeof row.sourcedId === 'string' ? row : { ...row, sourcedId };
  });
}

interface Position {
  readonly current: URL;
  /** Of this page. */
  readonly rows: number;
  /** Of all that was read. */
  readonly offset: number;
}

/** Of several links the one whose relation is `next`. */
function nextOf({ headers }: Told, { current, rows, offset }: Position): URL | undefined {
  const next = linksIn(headers.link).find(({ relations }) => relations.includes('next'));
  const url = next && URL.canParse(next.target, current.href) ? new URL(next.target, current) : undefined;
  if (url) return sameOrigin(url, current);
  const total = Number(headers['x-total-count'] ?? Number.NaN);
  if (rows === 0 && offset < total) throw protocolFault('The provider announces more rows than it gives.');
  return undefined;
}

/** A service behind a server that takes care of the encryption may not know of it: the own scheme is kept. */
function sameOrigin(link: URL, current: URL): URL {
  if (current.protocol === 'https:' && link.protocol === 'http:') link.protocol = 'https:';
  if (link.origin !== current.origin) throw protocolFault('The provider links to a page elsewhere.');
  return link;
}

/**
 * Where no link leads on: up to the total that is told, else until a page is shorter than asked for. A service whose pages have
 * all been shorter gives fewer than is asked for, and is asked until it gives nothing.
 */
function followed(
  { headers }: Told,
  { isLast, offset, next }: { readonly isLast: boolean; readonly offset: number; readonly next: URL },
): URL | undefined {
  const total = headers['x-total-count'];
  if (total !== undefined && Number.isFinite(Number(total))) return offset < Number(total) ? next : undefined;
  return isLast || linksIn(headers.link).some(({ target }) => URL.canParse(target, next.href)) ? undefined : next;
}
