// Reads the lists of the Classroom API page by page (Google Classroom API v1: `pageToken`, `nextPageToken`).
import type { HttpResponse } from '../../http-client/send-request.ts';
import { ProviderFault } from '../../provider.ts';
import { type AuthorizedGet, jsonMember, textMember } from '../authorized.ts';
import { protocolFault } from '../faults.ts';
import { countList } from '../limits.ts';

const pageSize = 100;
const maxReasons = 20;

export interface ListAddress {
  /** Has no slash at its end. */
  readonly api: string;
  /** `/v1/courses` */
  readonly path: string;
  /** The member of each page that holds the rows; a page without rows may lack it. */
  readonly member: string;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Yields the rows of each page; returns false when there is no such list (404). Throws ProviderFault `provider_protocol` for a
 * response that is no list of this kind, for a page token that was sent before, and for a list without end.
 */
export async function* pagesOf(get: AuthorizedGet, list: ListAddress): AsyncGenerator<readonly unknown[], boolean> {
  const count = countList();
  const given = new Set<string>();
  let pageToken: string | undefined;
  do {
    const response = await get(pageUrl(list, pageToken));
    if (!response) return false;
    const rows = rowsOf(response, list.member);
    count.add(rows.length);
    if (rows.length === 0) return true;
    yield rows;
    pageToken = textMember(response.json, 'nextPageToken');
    if (pageToken !== undefined && given.has(pageToken)) throw protocolFault('The provider leads back to a page.');
    if (pageToken !== undefined) given.add(pageToken);
  } while (pageToken !== undefined);
  return true;
}

function pageUrl({ api, path, query }: ListAddress, pageToken: string | undefined): URL {
  const url = new URL(api + path);
  const parameters = { ...query, pageSize: String(pageSize), ...(pageToken !== undefined && { pageToken }) };
  url.search = new URLSearchParams(parameters).toString();
  return url;
}

function rowsOf({ json }: HttpResponse, member: string): readonly unknown[] {
  const rows = jsonMember(json, member) ?? [];
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  if (!isObject || !Array.isArray(rows)) throw protocolFault(`The provider's answer is no list of ${member}.`);
  if (rows.length > pageSize) throw protocolFault(`The provider gives more ${member} than were asked for.`);
  return rows;
}

/** The reasons of a 403 that mean too many requests, as `errors` and as `details` name them. */
const limitReasons: readonly string[] = [
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
  'RESOURCE_QUOTA_EXCEEDED',
  'RESOURCE_EXHAUSTED',
];

/** The reasons of a 403 that concern the operator's project, not the administrator who has given consent. */
const projectReasons: readonly string[] = [
  'accessNotConfigured',
  'projectNotLinked',
  'SERVICE_DISABLED',
  'CONSUMER_INVALID',
  'CONSUMER_SUSPENDED',
  'USER_PROJECT_DENIED',
  'BILLING_DISABLED',
  'API_KEY_SERVICE_BLOCKED',
];

function reasonsOf({ json }: HttpResponse): string[] {
  const error = jsonMember(json, 'error');
  const listed = ['errors', 'details'].flatMap((name) => {
    const list = jsonMember(error, name);
    return Array.isArray(list) ? list.slice(0, maxReasons).map((one) => textMember(one, 'reason') ?? '') : [];
  });
  return [...listed, textMember(error, 'status') ?? ''];
}

export const isRateLimited = (response: HttpResponse): boolean =>
  response.status === 403 && reasonsOf(response).some((reason) => limitReasons.includes(reason));

/** Throws ProviderFault `provider_configuration` for a 403 that only the operator can correct. */
export function refuseProjectFaults(response: HttpResponse): void {
  if (response.status === 403 && reasonsOf(response).some((reason) => projectReasons.includes(reason))) {
    throw new ProviderFault(
      'provider_configuration',
      'The project of this service may not ask; its operator has to mend it.',
    );
  }
}
