// The lists of the Classroom API, page by page (Google Classroom API v1: `pageToken`, `nextPageToken`).
import type { Told } from '../../reaching/exchange.ts';
import { type AskFor, memberOf, textOf } from '../authorized.ts';
import { protocolFault } from '../faults.ts';
import { listCount } from '../limits.ts';

const pageSize = 100;

export interface ListPlace {
  /** Without a slash at its end. */
  readonly api: string;
  /** `/v1/courses` */
  readonly path: string;
  /** The member of each page that holds the rows; missing where there are none. */
  readonly member: string;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Each page's rows; returns false where the list is not there (404). Throws ProviderFault `provider_protocol` for what is no
 * list of this kind, for a token that was given before, and for a list without end.
 */
export async function* pagesOf(ask: AskFor, place: ListPlace): AsyncGenerator<readonly unknown[], boolean> {
  const count = listCount();
  const given = new Set<string>();
  let pageToken: string | undefined;
  do {
    const told = await ask(pageUrl(place, pageToken));
    if (!told) return false;
    const rows = rowsOf(told, place.member);
    count.add(rows.length);
    yield rows;
    pageToken = textOf(told.json, 'nextPageToken');
    if (pageToken !== undefined && given.has(pageToken)) throw protocolFault('The provider leads back to a page.');
    if (pageToken !== undefined) given.add(pageToken);
  } while (pageToken !== undefined);
  return true;
}

function pageUrl({ api, path, query }: ListPlace, pageToken: string | undefined): URL {
  const url = new URL(api + path);
  const parameters = { ...query, pageSize: String(pageSize), ...(pageToken !== undefined && { pageToken }) };
  url.search = new URLSearchParams(parameters).toString();
  return url;
}

function rowsOf({ json }: Told, member: string): readonly unknown[] {
  const rows = memberOf(json, member) ?? [];
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  if (!isObject || !Array.isArray(rows)) throw protocolFault(`The provider's answer is no list of ${member}.`);
  return rows;
}

/** Reasons of a 403 that mean: asked too often. */
const limits = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'];

export function asksTooOften({ status, json }: Told): boolean {
  if (status !== 403) return false;
  const errors = memberOf(memberOf(json, 'error'), 'errors');
  return Array.isArray(errors) && errors.some((error) => limits.includes(textOf(error, 'reason') ?? ''));
}
