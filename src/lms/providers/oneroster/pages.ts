// The lists of a OneRoster service, page by page (OneRoster 1.1 and 1.2, REST binding, pagination): by the `Link` to the next
// page where there is one, else by `limit` and `offset`.
import type { Told } from '../../reaching/exchange.ts';
import { type AskFor, memberOf, textOf } from '../authorized.ts';
import { protocolFault } from '../faults.ts';
import { listCount } from '../limits.ts';

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

const usualLimit = 500;

/**
 * Each page's rows, in the service's order. Throws ProviderFault `provider_protocol` for what is no list of this kind, for a
 * link that leads to another origin or back, and for a list without end; undefined where the service knows no such list.
 */
export async function* pagesOf(ask: AskFor, place: ListPlace): AsyncGenerator<readonly OneRosterRow[]> {
  const { root, collection, limit = usualLimit } = place;
  const count = listCount(place.pages);
  const visited = new Set<string>();
  let offset = 0;
  let firstId: string | undefined;
  let url: URL | undefined = pageUrl(root, collection, limit, 0);
  while (url) {
    if (visited.has(url.href)) throw protocolFault('The provider links back to a page that was read.');
    visited.add(url.href);
    const told = await ask(url);
    if (!told) throw protocolFault(`The provider has no list of ${collection}.`);
    const rows = rowsOf(told, collection);
    // A service that knows no pages gives all of its rows again and again.
    if (offset > 0 && firstId !== undefined && rows[0]?.sourcedId === firstId) return repeated(offset, limit);
    count.add(rows.length);
    firstId ??= rows[0]?.sourcedId;
    if (rows.length > 0) yield rows;
    offset += rows.length;
    url =
      nextOf(told, url, rows.length, offset) ?? followed(told, rows.length, pageUrl(root, collection, limit, offset));
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

/** Throws ProviderFault `provider_protocol` for what is no list of this kind. */
export function rowsOf({ json }: Told, collection: Collection): readonly OneRosterRow[] {
  const rows = memberOf(json, collection);
  if (!Array.isArray(rows)) throw protocolFault(`The provider's answer is no list of ${collection}.`);
  for (const row of rows) {
    const id = textOf(row, 'sourcedId');
    if (id === undefined || id.length > 255)
      throw protocolFault(`A row of the provider's ${collection} has no sourcedId.`);
  }
  return rows;
}

/** RFC 8288; of several links the one whose relation is `next`. */
function nextOf({ headers }: Told, current: URL, rows: number, offset: number): URL | undefined {
  const link = [headers.link ?? []].flat().join(', ');
  const next = [...link.matchAll(/<([^>]*)>([^<]*)/g)].find(([, , rest = '']) =>
    /;\s*rel\s*=\s*("([^"]*\s)?next(\s[^"]*)?"|next\s*(;|,|$))/i.test(rest),
  );
  if (next) return sameOrigin(next[1] ?? '', current);
  const total = Number(headers['x-total-count'] ?? Number.NaN);
  if (rows === 0 && offset < total) throw protocolFault('The provider announces more rows than it gives.');
  return undefined;
}

function sameOrigin(link: string, current: URL): URL {
  const url = URL.canParse(link, current.href) ? new URL(link, current) : undefined;
  if (url?.origin !== current.origin) throw protocolFault('The provider links to a page elsewhere.');
  return url;
}

/** Where no link leads on: a service that tells neither links nor a total is asked until it gives nothing. */
function followed({ headers }: Told, rows: number, next: URL): URL | undefined {
  const offset = Number(next.searchParams.get('offset'));
  const total = headers['x-total-count'];
  if (total !== undefined && Number.isFinite(Number(total))) return offset < Number(total) ? next : undefined;
  return rows === 0 || headers.link !== undefined ? undefined : next;
}
