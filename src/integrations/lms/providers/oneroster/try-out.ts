// A OneRoster service is tried before anything is kept of it: is the address one that may be asked, does it give a token, and
// does it give a page.
import { type Course, ProviderFault } from '../../provider.ts';
import { ReachFailure } from '../../reaching/failures.ts';
import { callersPatienceMs, type Reach, type Talk } from '../../reaching/reach.ts';
import type { RestClient, RestCredentials } from '../credentials.ts';
import { type Collection, type OneRosterRow, pageUrl, rowsOf, usualLimit } from './pages.ts';
import { rootsOf } from './roots.ts';
import { courseOf } from './rows.ts';
import { fetchToken } from './token.ts';

export type RestStep = 'address' | 'certificate' | 'token' | 'scope' | 'page';

export interface RestInput {
  readonly baseUrl: string;
  readonly client: RestClient;
}

export type RestField = 'baseUrl' | 'tokenUrl' | 'clientSecret' | 'scope' | 'auth.token';

/** Where it ended. `down`: trying again later may help, after `retryAfter` seconds. */
export interface Stumbled {
  readonly step: RestStep;
  readonly field: RestField;
  readonly issue: 'address_not_allowed' | 'certificate_not_trusted' | 'refused_by_provider' | 'no_oneroster' | 'down';
  readonly retryAfter?: number | undefined;
  /** In the place of what should be there: a word for it, nothing of what it holds. */
  readonly seen?: string;
}

export interface TriedOut {
  readonly credentials: RestCredentials;
  /** At most three of the first page. */
  readonly courses: readonly Course[];
  /** As the service writes them. */
  readonly users: readonly OneRosterRow[];
}

const samples = 3;

export type TryOut = { readonly done: TriedOut } | { readonly stumbled: Stumbled };

class Stumble extends Error {
  readonly stumbled: Stumbled;

  constructor(stumbled: Stumbled) {
    super(stumbled.issue);
    this.stumbled = stumbled;
  }
}

/** `thorough`: also one page of users and of enrollments, which a scope may leave out. */
export async function tryOut(reach: Reach, input: RestInput, { thorough }: { thorough: boolean }): Promise<TryOut> {
  const talk = reach.talk({ patienceMs: callersPatienceMs });
  try {
    if (input.client.auth !== 'bearer') checkAddress(reach, 'tokenUrl', input.client.tokenUrl);
    checkAddress(reach, 'baseUrl', input.baseUrl);
    return { done: await walk(talk, input, thorough) };
  } catch (error) {
    if (error instanceof Stumble) return { stumbled: error.stumbled };
    throw error;
  } finally {
    talk.close();
  }
}

function checkAddress(reach: Reach, field: 'baseUrl' | 'tokenUrl', address: string): void {
  try {
    const url = new URL(address);
    reach.check(url);
    if (url.hash === '' && (field === 'tokenUrl' || url.search === '')) return;
  } catch {
    // Refused below, like an address with a query.
  }
  throw new Stumble({ step: 'address', field, issue: 'address_not_allowed' });
}

async function walk(talk: Talk, { baseUrl, client }: RestInput, thorough: boolean): Promise<TriedOut> {
  const outcome = await at('tokenUrl', () => fetchToken(talk, client));
  if ('refused' in outcome) {
    const [step, field] =
      outcome.refused === 'scope' ? (['scope', 'scope'] as const) : (['token', 'clientSecret'] as const);
    throw new Stumble({ step, field, issue: 'refused_by_provider' });
  }
  const refusal = client.auth === 'bearer' ? ({ step: 'token', field: 'auth.token' } as const) : scopeRefusal;
  const page = (root: string, collection: Collection) =>
    at('baseUrl', () => firstPage(talk, { token: outcome.token, refusal }, { root, collection }));
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

const noOneRoster = (seen: string) => new Stumble({ step: 'page', field: 'baseUrl', issue: 'no_oneroster', seen });

/** The token was given for what it opens: where it opens no list, the scope is at fault. */
const scopeRefusal = { step: 'scope', field: 'scope' } as const;

interface Shown {
  readonly token: string;
  readonly refusal: Pick<Stumbled, 'step' | 'field'>;
}

/** undefined where there is no such list (404). */
async function firstPage(
  talk: Talk,
  { token, refusal }: Shown,
  { root, collection }: { root: string; collection: Collection },
) {
  const url = pageUrl(root, collection, samples, 0);
  const told = await talk.ask({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
  if (told.status === 404) return undefined;
  if (told.status === 401 || told.status === 403) {
    throw new Stumble({ ...refusal, issue: 'refused_by_provider' });
  }
  if (told.status !== 200) throw noOneRoster(`status ${told.status}`);
  return rowsOf(told, collection, usualLimit);
}

/** What does not answer as it should is named by the address that was asked. */
async function at<Told>(field: 'baseUrl' | 'tokenUrl', work: () => Promise<Told>): Promise<Told> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stumble) throw error;
    throw new Stumble(stumbledAt(field, error));
  }
}

function stumbledAt(field: 'baseUrl' | 'tokenUrl', error: unknown): Stumbled {
  const own = field === 'tokenUrl' ? 'token' : 'page';
  if (error instanceof ReachFailure) {
    const { problem, retryAfter } = error;
    if (problem === 'address') return { step: 'address', field, issue: 'address_not_allowed' };
    if (problem === 'certificate') return { step: 'certificate', field, issue: 'certificate_not_trusted' };
    if (problem !== 'protocol') return { step: own, field, issue: 'down', retryAfter };
  } else if (!(error instanceof ProviderFault)) {
    throw error;
  }
  const seen = error instanceof ReachFailure ? error.seen : error.message;
  const issue = field === 'tokenUrl' ? 'refused_by_provider' : 'no_oneroster';
  return { step: own, field, issue, ...(seen !== undefined && { seen }) };
}
