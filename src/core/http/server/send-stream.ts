// Keeps a response open and writes events into it. A client that does not read gets no further events, so that the buffered data
// stays within what the system holds for one connection.
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { beatText, type EventSink, type EventStream, eventText } from '../event-stream.ts';

/** The sink of a HEAD request, whose stream ends at once. */
const headSink: EventSink = { send: () => false, beat: () => false, end: () => {} };

export function sendStream(request: IncomingMessage, response: Response, { open }: EventStream): void {
  // Proxies would buffer events that have to be sent at once.
  response.setHeader('X-Accel-Buffering', 'no').setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  if (request.method === 'HEAD') {
    open(headSink)();
    return void response.end();
  }
  response.locals.streamsSince = performance.now();
  response.flushHeaders();
  const write = (text: string): boolean => {
    if (response.writableNeedDrain || response.writableEnded) return false;
    response.write(text);
    return true;
  };
  const closed = open({
    send: (event) => write(eventText(event)),
    beat: () => write(beatText),
    end: () => void (response.writableNeedDrain ? response.destroy() : response.end()),
  });
  if (response.closed) closed();
  else response.once('close', closed);
}
