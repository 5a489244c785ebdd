// A small HTTP client for tests that returns responses as values. It uses `node:http`, because fetch() takes several
// times the processor time of the service under test.
import http from 'node:http';

export interface Reply<Body = unknown> {
  readonly status: number;
  /** Parsed when the response is JSON, else the text. Undefined when there is no body. */
  readonly body: Body;
  readonly headers: Headers;
}

export interface RequestOptions {
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
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

/** Connections are reused and do not keep the process alive. */
const agent = new http.Agent({ keepAlive: true });

/** `baseUrl` is called for each request, because the server starts after the client was created. */
export function httpClient(baseUrl: () => string): HttpClient {
  const request = async <Body>(method: string, path: string, options: RequestOptions = {}): Promise<Reply<Body>> => {
    const content = options.bytes ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const { response, text } = await exchange(new URL(baseUrl() + path), content, {
      method,
      headers: {
        ...(content !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(content)),
        }),
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...options.headers,
      },
    });
    const headers = headersOf(response);
    return { status: response.statusCode ?? 0, headers, body: bodyOf(headers, text) as Body };
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

interface Exchange {
  readonly response: http.IncomingMessage;
  readonly text: string;
}

function exchange(url: URL, content: string | Uint8Array | undefined, options: http.RequestOptions): Promise<Exchange> {
  const { hostname, port, pathname, search } = url;
  return new Promise((resolve, reject) => {
    const request = http.request({ ...options, agent, hostname, port, path: pathname + search });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The service had closed the idle connection and did not receive the request.
      if (request.reusedSocket && error.code === 'ECONNRESET') exchange(url, content, options).then(resolve, reject);
      else reject(error);
    });
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (isStream(response) && chunk.includes('\n\n')) cut();
      });
      // A stream does not end by itself: only its first event is read.
      const cut = () => {
        resolve({ response, text: decoder.decode(Buffer.concat(chunks)) });
        response.destroy();
      };
      response.on('error', reject);
      response.once('end', () => resolve({ response, text: decoder.decode(Buffer.concat(chunks)) }));
    });
    request.end(content);
  });
}

const isStream = ({ headers }: http.IncomingMessage) =>
  headers['content-type']?.startsWith('text/event-stream') ?? false;

const decoder = new TextDecoder();

function headersOf({ rawHeaders }: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}

function bodyOf(headers: Headers, text: string): unknown {
  if (text === '') return undefined;
  return headers.get('content-type')?.includes('application/json') ? JSON.parse(text) : text;
}
