// An administrator's browser on its way to Google and back.
import * as assert from 'uvu/assert';
import type { Reply } from '../../../../harness/fetch.ts';
import type { TestApp } from '../../../../harness/http.ts';
import type { TestGoogle } from '../../../../harness/lms/google.ts';
import { throughProvider } from '../../../../security/sign-in/provider.ts';

export interface Departed {
  readonly redirectUrl: string;
  /** Lines of Set-Cookie. */
  readonly lines: readonly string[];
  readonly cookie: string;
}

export interface ClassroomFlow {
  start(token: string, body?: object): Promise<Departed>;
  /** Where Google sends the browser. */
  back(departed: Departed): Promise<URL>;
  finish(url: URL, cookie: string): Promise<Reply>;
  /** What the wizard shows. */
  outcome(token: string): Promise<URLSearchParams>;
}

export const frontend = 'https://app.example.org';

export function classroomFlow(app: TestApp, google: TestGoogle): ClassroomFlow {
  google.allow('http://127.0.0.1:3456/api/lms/connections/google_classroom/oauth-callback');
  const flow: ClassroomFlow = {
    async start(token, body = {}) {
      const reply = await app.post<{ redirectUrl: string }>('/api/lms/connections/google_classroom/oauth-start', body, {
        token,
      });
      assert.is(reply.status, 200, JSON.stringify(reply.body));
      const lines = reply.headers.getSetCookie();
      const cookie = lines.map((line) => line.split(';', 1)[0]).join('; ');
      return { redirectUrl: reply.body.redirectUrl, lines, cookie };
    },
    back: ({ redirectUrl }) => throughProvider(redirectUrl, google.origin),
    finish: ({ pathname, search }, cookie) => app.get(pathname + search, { headers: cookie === '' ? {} : { cookie } }),
    async outcome(token) {
      const departed = await flow.start(token);
      const reply = await flow.finish(await flow.back(departed), departed.cookie);
      assert.is(reply.status, 302, JSON.stringify(reply.body));
      const url = new URL(reply.headers.get('location') ?? '');
      assert.is(url.origin + url.pathname, `${frontend}/lms/wizard`);
      return url.searchParams;
    },
  };
  return flow;
}
