// An HTTP client of the service for the walkthrough.

/** Ends the walkthrough; the message is printed. */
export class WalkthroughError extends Error {}

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

export type ApiCall = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<ApiResponse>;

export interface Client {
  readonly call: ApiCall;
  /** Returns calls with the token of a signed-in user. */
  signIn(email: string, password: string): Promise<ApiCall>;
}

export function clientOf(address: string): Client {
  const callWith =
    (signedIn: Readonly<Record<string, string>>): ApiCall =>
    async (method, path, body, headers) => {
      const response = await fetch(new URL(path, address), {
        method,
        headers: { ...signedIn, ...headers, ...(body && { 'content-type': 'application/json' }) },
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
      const { accessToken } = requireSuccess<{ accessToken: string }>(
        await call('POST', '/api/auth/login', { email, password }),
      );
      return callWith({ authorization: `Bearer ${accessToken}` });
    },
  };
}

/** Returns the body of a successful reply. Throws WalkthroughError with the service's message otherwise. */
export function requireSuccess<Body>({ status, body }: ApiResponse): Body {
  if (status >= 200 && status < 300) return body as Body;
  const { code, message } = (body ?? {}) as { code?: string; message?: string };
  throw new WalkthroughError(`The service answered ${status} ${code ?? ''}: ${message ?? 'no reason given'}`);
}
