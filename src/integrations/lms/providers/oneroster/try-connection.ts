// Tries a OneRoster service before a connection is stored: whether its addresses may be requested, and whether it returns a
// token and a page.
import { HttpFailure } from '../../http-client/failures.ts';
import { callerTimeoutMs, type HttpClient, type HttpSession } from '../../http-client/http-client.ts';
import { type Course, ProviderFault } from '../../provider.ts';
import type { RestClient, RestCredentials } from '../credentials.ts';
import { type Collection, type OneRosterRow, oneRosterRowsOf, pageUrl, usualLimit } from './pages.ts';
import { courseOf } from './rows.ts';
import { fetchToken } from './token.ts';

export type RestStep = 'address' | 'certificate' | 'token' | 'scope' | 'page';

export interface RestInput {
  readonly baseUrl: string;
  readonly client: RestClient;
}

export type RestField = 'baseUrl' | 'tokenUrl' | 'clientSecret' | 'scope' | 'auth.token';

/** The step at which the trial ended. `down`: a later trial, after `retryAfter` seconds, may succeed. */
export interface TrialFailure {
  readonly step: RestStep;
  readonly field: RestField;
  readonly issue: 'address_not_allowed' | 'certificate_not_trusted' | 'refused_by_provider' | 'no_oneroster' | 'down';
  readonly retryAfter?: number | undefined;
  /** What was received in place of a valid response. Holds no content of it. */
  readonly seen?: string;
}

export interface TrialResult {
  readonly credentials: RestCredentials;
  /** The first three at most. */
  readonly courses: readonly Course[];
  /** The first three at most, as the service writes them. */
  readonly users: readonly OneRosterRow[];
}

const samples = 3;

export type TrialOutcome = { readonly done: TrialResult } | { readonly failure: TrialFailure };

class TrialError extends Error {
  readonly failure: TrialFailure;

  constructor(failure: TrialFailure) {
    super(failure.issue);
    this.failure = failure;
  }
}

/** `thorough`: reads a page of users and of enrollments too, which the scope of a token may exclude. */
export async function tryConnection(
  httpClient: HttpClient,
  input: RestInput,
  { thorough }: { readonly thorough: boolean },
): Promise<TrialOutcome> {
  const session = httpClient.openSession({ timeoutMs: callerTimeoutMs });
  try {
    if (input.client.auth !== 'bearer') checkAddress(httpClient, 'tokenUrl', input.client.tokenUrl);
    checkAddress(httpClient, 'baseUrl', input.baseUrl);
    return { done: await runTrial(session, input, thorough) };
  } catch (error) {
    if (error instanceof TrialError) return { failure: error.failure };
    throw error;
  } finally {
    session.close();
  }
}

function checkAddress(httpClient: HttpClient, field: 'baseUrl' | 'tokenUrl', address: string): void {
  try {
    const url = new URL(address);
    httpClient.check(url);
    if (url.hash === '' && (field === 'tokenUrl' || url.search === '')) return;
  } catch {
    // The error below is thrown for this address, as for one with a query.
  }
  throw new TrialError({ step: 'address', field, issue: 'address_not_allowed' });
}

async function runTrial(session: HttpSession, { baseUrl, client }: RestInput, thorough: boolean): Promise<TrialResult> {
  const outcome = await at('tokenUrl', () => fetchToken(session, client));
  if ('refused' in outcome) {
    const [step, field] =
      outcome.refused === 'scope' ? (['scope', 'scope'] as const) : (['token', 'clientSecret'] as const);
    throw new TrialError({ step, field, issue: 'refused_by_provider' });
  }
  const refusal = client.auth === 'bearer' ? ({ step: 'token', field: 'auth.token' } as const) : scopeRefusal;
  const page = (root: string, collection: Collection) =>
    at('baseUrl', () => firstPage(session, { token: outcome.token, refusal }, { root, collection }));
  for (const root of rootsOf(baseUrl)) {
    const classes = await page(root, 'classes');
    if (!classes) continue;
    const users = thorough ? await page(root, 'users') : [];
    const enrollments = thorough ? await page(root, 'enrollments') : [];
    if (!users || !enrollments) throw noOneRoster(`no list of ${users ? 'enrollments' : 'users'}`);
    return {
      credentials: { root, ...client },
      courses: classes.slice(0, samples).map(courseOf),
      users: users.slice(0, samples),
    };
  }
  throw noOneRoster('no list of classes');
}

const noOneRoster = (seen: string) => new TrialError({ step: 'page', field: 'baseUrl', issue: 'no_oneroster', seen });

/** A token that opens no list has a scope that is too narrow. */
const scopeRefusal = { step: 'scope', field: 'scope' } as const;

interface Access {
  readonly token: string;
  readonly refusal: Pick<TrialFailure, 'step' | 'field'>;
}

/** Returns undefined when there is no such list (404). */
async function firstPage(
  session: HttpSession,
  { token, refusal }: Access,
  { root, collection }: { root: string; collection: Collection },
) {
  const url = pageUrl(root, collection, samples, 0);
  const response = await session.request({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
  if (response.status === 404) return undefined;
  if (response.status === 401 || response.status === 403) {
    throw new TrialError({ ...refusal, issue: 'refused_by_provider' });
  }
  if (response.status !== 200) throw noOneRoster(`status ${response.status}`);
  return oneRosterRowsOf(response, collection, usualLimit);
}

/** Names the field of the address in the failure. */
async function at<Result>(field: 'baseUrl' | 'tokenUrl', work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TrialError) throw error;
    throw new TrialError(toTrialFailure(field, error));
  }
}

function toTrialFailure(field: 'baseUrl' | 'tokenUrl', error: unknown): TrialFailure {
  const own = field === 'tokenUrl' ? 'token' : 'page';
  if (error instanceof HttpFailure) {
    const { problem, retryAfter } = error;
    if (problem === 'address') return { step: 'address', field, issue: 'address_not_allowed' };
    if (problem === 'certificate') return { step: 'certificate', field, issue: 'certificate_not_trusted' };
    if (problem !== 'protocol') return { step: own, field, issue: 'down', retryAfter };
  } else if (!(error instanceof ProviderFault)) {
    throw error;
  }
  const seen = error instanceof HttpFailure ? error.seen : error.message;
  const issue = field === 'tokenUrl' ? 'refused_by_provider' : 'no_oneroster';
  return { step: own, field, issue, ...(seen !== undefined && { seen }) };
}

/** OneRoster 1.2 first, then 1.1. */
const roots = ['/ims/oneroster/rostering/v1p2', '/ims/oneroster/v1p1'] as const;

/** Returns the possible roots of the rostering service. `baseUrl` may be a root of one version itself. */
function rootsOf(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const base = withoutSlashes(`${origin}${pathname}`);
  return /\/v1p[12]$/i.test(base) ? [base] : roots.map((root) => base + root);
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
