// Reads the lists of a OneRoster service page by page (OneRoster 1.1 and 1.2, REST binding, pagination): by the `Link` to the
// next page when there is one, else by `limit` and `offset`.
import type { HttpResponse } from '../../http-client/send-request.ts';
import { type AuthorizedGet, idOf, jsonMember } from '../authorized.ts';
import { protocolFault } from '../faults.ts';
import { countList } from '../limits.ts';
import { parseLinks } from './links.ts';

export type Collection = 'classes' | 'users' | 'enrollments';

/** `sourcedId` has 1–255 characters. */
export type OneRosterRow = Readonly<Record<string, unknown>> & { readonly sourcedId: string };

export interface ListAddress {
  readonly root: string;
  readonly collection: Collection;
  /** The rows of a page. */
  readonly limit?: number;
  /** The most pages that a list may have. Only tests set it. */
  readonly pages?: number;
}

export const usualLimit = 500;

/**
 * Yields the rows of each page in the order of the service; a page without rows ends the list. Throws ProviderFault
 * `provider_protocol` for a response that is no list of this kind, for more rows than `limit`, for a link to another origin or
 * to a page that was read, and for a list without end.
 */
export async function* pagesOf(get: AuthorizedGet, list: ListAddress): AsyncGenerator<readonly OneRosterRow[]> {
  const { root, collection, limit = usualLimit } = list;
  const count = countList(list.pages);
  const visited = new Set<string>();
  let offset = 0;
  let firstId: string | undefined;
  let keepsLimit = false;
  let url: URL | undefined = pageUrl(root, collection, limit, 0);
  while (url) {
    if (visited.has(url.href)) throw protocolFault('The provider links back to a page that was read.');
    visited.add(url.href);
    const response = await get(url);
    if (!response) throw protocolFault(`The provider has no list of ${collection}.`);
    const rows = oneRosterRowsOf(response, collection, limit);
    // A service without pagination returns all of its rows each time.
    if (offset > 0 && firstId !== undefined && rows[0]?.sourcedId === firstId) return endRepeated(offset, limit);
    count.add(rows.length);
    firstId ??= rows[0]?.sourcedId;
    if (rows.length > 0) yield rows;
    offset += rows.length;
    keepsLimit ||= rows.length === limit;
    const next = nextOf(response, { current: url, rows: rows.length, offset });
    if (rows.length === 0) return;
    const isLast = keepsLimit && rows.length < limit;
    url = next ?? followingPage(response, { isLast, offset, next: pageUrl(root, collection, limit, offset) });
  }
}

export function pageUrl(root: string, collection: Collection, limit: number, offset: number): URL {
  const url = new URL(`${root}/${collection}`);
  url.search = new URLSearchParams({ limit: String(limit), offset: String(offset) }).toString();
  return url;
}

function endRepeated(read: number, limit: number): void {
  if (read >= limit) throw protocolFault('The provider gives the same page again and again.');
}

/** Throws ProviderFault `provider_protocol` for a response that is no list of this kind and for more than `most` rows. */
export function oneRosterRowsOf({ json }: HttpResponse, collection: Collection, most: number): readonly OneRosterRow[] {
  const rows = jsonMember(json, collection);
  if (!Array.isArray(rows)) throw protocolFault(`The provider's answer is no list of ${collection}.`);
  if (rows.length > most) throw protocolFault(`The provider gives more ${collection} than were asked for.`);
  return rows.map((row) => {
    const sourcedId = idOf(jsonMember(row, 'sourcedId'));
    if (sourcedId === undefined || sourcedId.length > 255) {
      throw protocolFault(`A row of the provider's ${collection} has no sourcedId.`);
    }
    return typeof row.sourcedId === 'string' ? row : { ...row, sourcedId };
  });
}

interface Position {
  readonly current: URL;
  /** The number of rows of this page. */
  readonly rows: number;
  /** The number of rows read so far. */
  readonly offset: number;
}

/** Returns the target of the link whose relation is `next`. */
function nextOf({ headers }: HttpResponse, { current, rows, offset }: Position): URL | undefined {
  const next = parseLinks(headers.link).find(({ relations }) => relations.includes('next'));
  const url = next && URL.canParse(next.target, current.href) ? new URL(next.target, current) : undefined;
  if (url) return sameOrigin(url, current);
  const total = Number(headers['x-total-count'] ?? Number.NaN);
  if (rows === 0 && offset < total) throw protocolFault('The provider announces more rows than it gives.');
  return undefined;
}

/** Keeps https: a service behind a TLS proxy may write http in its links. */
function sameOrigin(link: URL, current: URL): URL {
  if (current.protocol === 'https:' && link.protocol === 'http:') link.protocol = 'https:';
  if (link.origin !== current.origin) throw protocolFault('The provider links to a page elsewhere.');
  return link;
}

/**
 * Returns the page after this one when there is no `next` link: up to the announced total, else until a page is shorter than
 * `limit`. A service whose pages have all been shorter has a smaller limit, and is read until a page is empty.
 */
function followingPage(
  { headers }: HttpResponse,
  { isLast, offset, next }: { readonly isLast: boolean; readonly offset: number; readonly next: URL },
): URL | undefined {
  const total = headers['x-total-count'];
  if (total !== undefined && Number.isFinite(Number(total))) return offset < Number(total) ? next : undefined;
  return isLast || parseLinks(headers.link).some(({ target }) => URL.canParse(target, next.href)) ? undefined : next;
}
