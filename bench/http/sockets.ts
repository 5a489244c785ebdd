// A caller on one open socket, as a device is one, with one request at a time. Node's own client would use more of the machine
// than the service, once two thousand of them share it.
import net from 'node:net';

interface SocketAnswer {
  readonly status: number;
  readonly body: string;
}

export interface SocketCaller {
  /** Returns status and body. One request is sent at a time; others wait for it. */
  ask(request: string): Promise<SocketAnswer>;
  close(): void;
}

const head = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\ncontent-length: (\d+)/i;

export async function callerOf(url: string): Promise<SocketCaller> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname).setNoDelay(true);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let text = '';
  let waiting: ((answer: SocketAnswer) => void) | undefined;
  let failed: ((error: Error) => void) | undefined;
  socket.on('error', (error) => failed?.(error)).on('close', () => failed?.(new Error('the socket was closed')));
  socket.on('data', (part) => {
    text += part.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    const [, status, length] = (end < 0 ? null : head.exec(text)) ?? [];
    if (status === undefined || text.length < end + 4 + Number(length)) return;
    const answer = { status: Number(status), body: text.slice(end + 4, end + 4 + Number(length)) };
    text = '';
    waiting?.(answer);
  });
  let last: Promise<unknown> = Promise.resolve();
  const ask = (request: string) =>
    new Promise<SocketAnswer>((resolve, reject) => {
      [waiting, failed] = [resolve, reject];
      socket.write(request, 'latin1');
    });
  return {
    ask: (request) => {
      const answer = last.then(() => ask(request));
      last = answer.catch(() => {});
      return answer;
    },
    close: () => socket.destroy(),
  };
}

/** Returns the text of the request; `token` and path are plain ASCII. */
export function requestText(method: 'GET' | 'POST', path: string, token: string, body?: object): string {
  const content = body === undefined ? '' : JSON.stringify(body);
  const about = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${content.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${about}\r\n${content}`;
}
