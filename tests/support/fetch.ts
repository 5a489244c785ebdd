// A tiny HTTP client for tests: what was answered, as values.

export interface Reply<Body = unknown> {
  readonly status: number;
  /** Parsed where the answer is JSON, else the text; undefined when there is none. */
  readonly body: Body;
  readonly headers: Headers;
}

export interface RequestOptions {
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent byte for byte, instead of `body`. */
  readonly bytes?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpClient {
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Reply<Body>>;
  get<Body = unknown>(path: string, options?: RequestOptions): Promise<Reply<Body>>;
  post<Body = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<Reply<Body>>;
  put<Body = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<Reply<Body>>;
  patch<Body = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<Reply<Body>>;
  delete<Body = unknown>(path: string, options?: RequestOptions): Promise<Reply<Body>>;
}

/** `baseUrl` is asked for at each request, because the server starts after the client was made. */
export function httpClient(baseUrl: () => string): HttpClient {
  const request = async <Body>(method: string, path: string, options: RequestOptions = {}): Promise<Reply<Body>> => {
    const content = options.bytes ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await fetch(baseUrl() + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...options.headers,
      },
      ...(content !== undefined && { body: content }),
    });
    return { status: response.status, headers: response.headers, body: (await bodyOf(response)) as Body };
  };
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    put: (path, body, options) => request('PUT', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    delete: (path, options) => request('DELETE', path, options),
  };
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return response.headers.get('content-type')?.includes('application/json') ? JSON.parse(text) : text;
}
