// A browser on a page of the workbench: it sends the headers of the page, and keeps the cookie.
import type { Reply } from '../../../harness/fetch.ts';
import type { TestApp } from '../../../harness/http.ts';

/** The headers of a page that the test service serves at its own address. */
export const ownPage = { origin: 'http://127.0.0.1:3000', 'x-workbench': '1' };
export const sessionPath = '/api/workbench/session';

export interface Opened {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly user: { readonly id: number; readonly permissions: readonly string[] };
  readonly code?: string;
  readonly details?: readonly { readonly field: string; readonly issue: string }[];
}

export interface Browser {
  open(body: unknown): Promise<Reply<Opened>>;
  refresh(): Promise<Reply<Opened>>;
  close(): Promise<Reply<Opened | undefined>>;
  /** The pair `name=value`; undefined without a cookie. */
  cookie(): string | undefined;
  /** Another browser with the same cookie. */
  copy(): Browser;
}

/** `headers` are sent with every request; by default those of an own page. */
export function browserOf(
  app: Pick<TestApp, 'request'>,
  headers: Readonly<Record<string, string>> = ownPage,
  held?: string,
): Browser {
  let cookie = held;
  const send = async (method: string, path: string, body?: unknown): Promise<Reply<Opened>> => {
    const reply = await app.request<Opened>(method, path, {
      ...(body !== undefined && { body }),
      headers: { ...headers, ...(cookie !== undefined && { cookie }) },
    });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      cookie = /max-age=0(;|$)/i.test(line) ? undefined : pair;
    }
    return reply;
  };
  return {
    open: (body) => send('POST', sessionPath, body),
    refresh: () => send('POST', `${sessionPath}/refresh`, {}),
    close: () => send('DELETE', sessionPath),
    cookie: () => cookie,
    copy: () => browserOf(app, headers, cookie),
  };
}
