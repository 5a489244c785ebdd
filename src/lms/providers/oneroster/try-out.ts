// A OneRoster service is tried before anything is kept of it: is the address one that may be asked, does it give a token, and
// does it give a page.
import { type Course, ProviderFault } from '../../provider.ts';
import { ReachFailure } from '../../reaching/failures.ts';
import { callersPatienceMs, type Reach, type Talk } from '../../reaching/reach.ts';
import type { RestCredentials } from '../credentials.ts';
import { type Collection, type OneRosterRow, pageUrl, rowsOf } from './pages.ts';
import { rootsOf } from './roots.ts';
import { courseOf } from './rows.ts';
import { fetchToken } from './token.ts';

export type RestStep = 'address' | 'certificate' | 'token' | 'scope' | 'page';

export interface RestInput {
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
}

export type RestField = keyof RestInput;

/** Where it ended. `down`: trying again later may help, after `retryAfter` seconds. */
export interface Stumbled {
  readonly step: RestStep;
  readonly field: RestField;
  readonly issue: 'address_not_allowed' | 'certificate_not_trusted' | 'refused_by_provider' | 'no_oneroster' | 'down';
  readonly retryAfter?: number | undefined;
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
    for (const field of ['tokenUrl', 'baseUrl'] as const) checkAddress(reach, input, field);
    return { done: await walk(talk, input, thorough) };
  } catch (error) {
    if (error instanceof Stumble) return { stumbled: error.stumbled };
    throw error;
  } finally {
    talk.close();
  }
}

function checkAddress(reach: Reach, input: RestInput, field: 'baseUrl' | 'tokenUrl'): void {
  try {
    const url = new URL(input[field]);
    reach.check(url);
    if (url.hash === '' && (field === 'tokenUrl' || url.search === '')) return;
  } catch {
    // Refused below, like an address with a query.
  }
  throw new Stumble({ step: 'address', field, issue: 'address_not_allowed' });
}

async function walk(talk: Talk, input: RestInput, thorough: boolean): Promise<TriedOut> {
  const { tokenUrl, clientId, clientSecret, scope = null } = input;
  const client = { tokenUrl, clientId, clientSecret, scope };
  const outcome = await at('tokenUrl', () => fetchToken(talk, client));
  if ('refused' in outcome) {
    const [step, field] =
      outcome.refused === 'scope' ? (['scope', 'scope'] as const) : (['token', 'clientSecret'] as const);
    throw new Stumble({ step, field, issue: 'refused_by_provider' });
  }
  const page = (root: string, collection: Collection) =>
    at('baseUrl', () => firstPage(talk, outcome.token, { root, collection }));
  for (const root of rootsOf(input.baseUrl)) {
    const classes = await page(root, 'classes');
    if (!classes) continue;
    const users = thorough ? await page(root, 'users') : [];
    const enrollments = thorough ? await page(root, 'enrollments') : [];
    if (!users || !enrollments) break;
    return {
      credentials: { root, ...client },
      courses: classes.slice(0, samples).map(courseOf),
      users: users.slice(0, samples),
    };
  }
  throw new Stumble({ step: 'page', field: 'baseUrl', issue: 'no_oneroster' });
}

/** undefined where there is no such list (404). */
async function firstPage(talk: Talk, token: string, { root, collection }: { root: string; collection: Collection }) {
  const url = pageUrl(root, collection, samples, 0);
  const told = await talk.ask({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } });
  if (told.status === 404) return undefined;
  if (told.status === 401 || told.status === 403) {
    throw new Stumble({ step: 'scope', field: 'scope', issue: 'refused_by_provider' });
  }
  if (told.status !== 200) throw new Stumble({ step: 'page', field: 'baseUrl', issue: 'no_oneroster' });
  return rowsOf(told, collection);
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
  return { step: own, field, issue: field === 'tokenUrl' ? 'refused_by_provider' : 'no_oneroster' };
}
