// An answer that sends events until one side ends it (text/event-stream). It is created in the transaction of the request and
// begins after that has ended, so that it holds no database connection.
import Type from 'typebox';
import { named } from './schemas.ts';

export interface StreamEvent {
  /** The value that a reconnecting client sends as `Last-Event-ID`. */
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: object;
}

/** The sending end of a stream. */
export interface EventSink {
  /** Returns false and sends nothing if the client has not read earlier events, so that no data accumulates. */
  send(event: StreamEvent): boolean;
  /** Sends a comment, which tells clients and proxies that the connection is alive. Returns false as `send` does. */
  beat(): boolean;
  end(): void;
}

export class EventStream {
  /** Called once, when the headers have been sent. Returns the function that is called when the connection is closed. */
  readonly open: (sink: EventSink) => () => void;

  constructor(open: EventStream['open']) {
    this.open = open;
  }
}

export const EventStreamText = named('EventStream', Type.String({ contentMediaType: 'text/event-stream' }));

/** Returns the event in the format of the protocol. `data` is one line, because JSON has no line break. */
export const eventText = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export const beatText = ':\n\n';
