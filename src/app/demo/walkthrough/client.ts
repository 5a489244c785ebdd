// The service as the walkthrough sees it: over HTTP, like any other client.

/** Not what the walkthrough hoped for; the message is for the person at the terminal. */
export class WalkthroughError extends Error {}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export type Call = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Reply>;

export interface Client {
  readonly call: Call;
  /** As somebody who has signed in. */
  signIn(email: string, password: string): Promise<Call>;
}

export function clientOf(address: string): Client {
  const callWith =
    (headers: Readonly<Record<string, string>>): Call =>
    async (method, path, body) => {
      const response = await fetch(new URL(path, address), {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => {
        throw new WalkthroughError(
          `Nothing answers at ${address}. Start the service with npm start; if it runs elsewhere: npm run demo -- http://127.0.0.1:3100`,
        );
      });
      const isJson = response.headers.get('content-type')?.includes('application/json');
      return { status: response.status, body: isJson ? await response.json() : undefined };
    };
  const call = callWith({});
  return {
    call,
    async signIn(email, password) {
      const { accessToken } = good<{ accessToken: string }>(await call('POST', '/api/auth/login', { email, password }));
      return callWith({ authorization: `Bearer ${accessToken}` });
    },
  };
}

/** The body of a success; anything else ends the walkthrough with the service's own words. */
export function good<Body>({ status, body }: Reply): Body {
  if (status >= 200 && status < 300) return body as Body;
  const { code, message } = (body ?? {}) as { code?: string; message?: string };
  throw new WalkthroughError(`The service answered ${status} ${code ?? ''}: ${message ?? 'no reason given'}`);
}
