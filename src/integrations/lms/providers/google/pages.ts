// The lists of the Classroom API, page by page (Google Classroom API v1: `pageToken`, `nextPageToken`).

import { ProviderFault } from '../../provider.ts';
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
    if (rows.length === 0) return true;
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
  if (rows.length > pageSize) throw protocolFault(`The provider gives more ${member} than were asked for.`);
  return rows;
}

/** Reasons of a 403 that mean: asked too often. In the forms of `errors` and of `details`. */
const limits: readonly string[] = [
  ...['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded'],
  ...['RATE_LIMIT_EXCEEDED', 'RESOURCE_QUOTA_EXCEEDED', 'RESOURCE_EXHAUSTED'],
];

/** Those that speak of the operator's project, not of the administrator who has agreed. */
const projectFaults: readonly string[] = [
  ...['accessNotConfigured', 'projectNotLinked', 'SERVICE_DISABLED', 'CONSUMER_INVALID', 'CONSUMER_SUSPENDED'],
  ...['USER_PROJECT_DENIED', 'BILLING_DISABLED', 'API_KEY_SERVICE_BLOCKED'],
];

function reasonsOf({ json }: Told): string[] {
  const error = memberOf(json, 'error');
  const listed = ['errors', 'details'].flatMap((name) => {
    const list = memberOf(error, name);
    return Array.isArray(list) ? list.slice(0, mostReasons).map((one) => textOf(one, 'reason') ?? '') : [];
  });
  return [...listed, textOf(error, 'status') ?? ''];
}

const mostReasons = 20;

export const asksTooOften = (told: Told): boolean =>
  told.status === 403 && reasonsOf(told).some((reason) => limits.includes(reason));

/** Throws ProviderFault `provider_configuration` for a 403 that only the operator can mend. */
export function refuseProjectFaults(told: Told): void {
  if (told.status === 403 && reasonsOf(told).some((reason) => projectFaults.includes(reason))) {
    throw new ProviderFault(
      'provider_configuration',
      'The project of this service may not ask; its operator has to mend it.',
    );
  }
}
