// The browser's part in a sign-in with Google: it keeps the cookie, follows the provider, and returns.
import * as assert from 'uvu/assert';
import type { Reply } from '../../harness/fetch.ts';
import type { TestApp } from '../../harness/http.ts';
import { type TestProvider, throughProvider } from './provider.ts';

/** URL to which the provider redirects, and the cookies of the browser that started. */
export interface ComeBack {
  readonly url: URL;
  readonly cookie: string;
}

export interface GoogleFlow {
  start(query?: string, headers?: Record<string, string>): Promise<{ url: string; cookie: string; lines: string[] }>;
  comeBackAs(subject: string, query?: string): Promise<ComeBack>;
  finish(back: ComeBack): Promise<Reply>;
  /** Returns the parameters that the frontend receives. */
  outcome(subject: string, query?: string): Promise<URLSearchParams>;
  exchange(code: string | null, codeVerifier?: string): Promise<Reply>;
}

const frontendCallback = 'https://app.example.org/auth/callback';

/** The claims of a user of an organization's own domain. */
export const verified = (email: string | null, more: object = {}) => ({
  email: email ?? '',
  email_verified: true,
  hd: (email ?? '').split('@')[1] ?? '',
  ...more,
});

export function googleFlow(app: TestApp, provider: TestProvider): GoogleFlow {
  const start: GoogleFlow['start'] = async (query = '', headers = {}) => {
    const reply = await app.get<{ redirectUrl: string }>(`/api/auth/google/start${query}`, { headers });
    assert.is(reply.status, 302, JSON.stringify(reply.body));
    assert.is(reply.headers.get('location'), reply.body.redirectUrl);
    const lines = reply.headers.getSetCookie();
    return { url: reply.body.redirectUrl, lines, cookie: lines.map((line) => line.split(';', 1)[0]).join('; ') };
  };
  let prepared: Promise<void> | undefined;
  /**
   * Discovery needs a running provider, and the provider needs our address. Both are known after the first request.
   */
  const prepare = async () => {
    await provider.allow('http://127.0.0.1/unused');
    await provider.allow(new URL((await start()).url).searchParams.get('redirect_uri') ?? '');
  };
  const comeBackAs: GoogleFlow['comeBackAs'] = async (subject, query = '') => {
    prepared ??= prepare();
    await prepared;
    provider.nextSubject = subject;
    const { url, cookie } = await start(query);
    return { url: await throughProvider(url, provider.issuer), cookie };
  };
  const finish: GoogleFlow['finish'] = ({ url, cookie }) =>
    app.get(`${url.pathname.replace(/^.*(?=\/api\/)/, '')}${url.search}`, { headers: cookie === '' ? {} : { cookie } });
  return {
    start: async (...input) => {
      prepared ??= prepare();
      await prepared;
      return start(...input);
    },
    comeBackAs,
    finish,
    outcome: async (subject, query = '') => {
      const reply = await finish(await comeBackAs(subject, query));
      assert.is(reply.status, 302, JSON.stringify(reply.body));
      const address = new URL(reply.headers.get('location') ?? '');
      assert.is(address.origin + address.pathname, frontendCallback);
      return address.searchParams;
    },
    exchange: (code, codeVerifier) =>
      app.post('/api/auth/google/exchange', { code, ...(codeVerifier !== undefined && { codeVerifier }) }),
  };
}
