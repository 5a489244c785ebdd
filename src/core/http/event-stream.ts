// An answer that goes on: events as they come, until one side ends it (text/event-stream). It is made in the request's
// transaction and begins when that has ended: no connection to the database is held for it.
import Type from 'typebox';
import { named } from './schemas.ts';

export interface StreamEvent {
  /** What a client that comes again names in `Last-Event-ID`. */
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: object;
}

/** The open end of it. */
export interface EventSink {
  /** False where the client does not take what was sent before: nothing is sent then, so that nothing piles up. */
  send(event: StreamEvent): boolean;
  /** A comment, by which clients and proxies know that the connection lives; false as above. */
  beat(): boolean;
  end(): void;
}

export class EventStream {
  /** Called once, when the head of the answer is out; what it answers is called when the connection is gone. */
  readonly open: (sink: EventSink) => () => void;

  constructor(open: EventStream['open']) {
    this.open = open;
  }
}

export const EventStreamText = named('EventStream', Type.String({ contentMediaType: 'text/event-stream' }));

/** `data` has no line break: JSON has none. */
export const eventText = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export const beatText = ':\n\n';
