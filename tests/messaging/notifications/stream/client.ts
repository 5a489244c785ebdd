// A client of a stream: events, the number of comments, and the time of the end.
import http from 'node:http';

export interface Heard {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: { readonly count: number };
}

export interface StreamClient {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly heard: readonly Heard[];
  readonly beats: () => number;
  readonly hasEnded: () => boolean;
  close(): void;
}

export function listenTo(url: string, token: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  const heard: Heard[] = [];
  let [text, beats, ended] = ['', 0, false];
  return new Promise((resolve, reject) => {
    const request = http.get(`${url}/api/notifications/stream`, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const end = () => {
        ended = true;
      };
      response.on('error', end).on('close', end);
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const one of parts) {
          if (one.startsWith(':')) beats += 1;
          else heard.push(eventIn(one));
        }
      });
      const retryAfter = response.headers['retry-after'];
      const status = response.statusCode ?? 0;
      resolve({ status, retryAfter, heard, beats: () => beats, hasEnded: () => ended, close: () => request.destroy() });
    });
  });
}

function eventIn(text: string): Heard {
  const fields = new Map(text.split('\n').map((line) => line.split(': ', 2) as [string, string]));
  return { id: fields.get('id'), event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? '') };
}
