// Bodies above 256 KiB are parsed and checked in a thread, so that they do not delay other requests and can end nothing but that
// thread. Each person may send one at a time.
import type { IncomingMessage } from 'node:http';
import type { TSchema } from 'typebox';
import { AppError } from '../../platform/errors.ts';
import { type Parsing, startParsing } from '../../platform/parsing/parsing.ts';
import type { Route } from '../route.ts';
import { defaultBodyLimitBytes, headersOf, type IncomingBody, type RawBody } from './body.ts';
import { type SentBody, tooComplex } from './body-value.ts';
import { bodySchema } from './validation.ts';

/** The input of the task; `schema` is the schema of the body as JSON text. */
export interface LargeBody extends SentBody {
  readonly schema: string;
}

/** The output of the task. Long texts are transferred apart from the value: cloning them would take as long as reading them. */
export interface ReadLargeBody {
  readonly value: unknown;
  readonly texts: readonly LongText[];
  readonly digest: string;
}

export interface LongText {
  readonly at: readonly string[];
  /** ASCII characters. */
  readonly bytes: Uint8Array;
}

const processParsing = startParsing();

export class LargeBodies {
  readonly #parsing: Pick<Parsing, 'run'>;
  readonly #readFor = new Set<number>();

  constructor(parsing: Pick<Parsing, 'run'> = processParsing) {
    this.#parsing = parsing;
  }

  /**
   * Reads a body that may be large, after the checks of token and permission. Throws RATE_LIMITED `busy` while another body of this
   * person is being received or parsed.
   */
  async receive(route: Taking, { message, body }: Arriving, userId: number): Promise<RawBody> {
    if (route.bodyLimitBytes <= defaultBodyLimitBytes) return body.read();
    if (this.#readFor.has(userId)) throw busy();
    this.#readFor.add(userId);
    try {
      const raw = await body.read();
      if (!('bytes' in raw.content) || raw.sizeBytes <= defaultBodyLimitBytes || !route.body) return raw;
      const sent = { bytes: raw.content.bytes, ...headersOf(message, route.acceptsForm) };
      return { content: await this.#read(route.body, sent), sizeBytes: raw.sizeBytes };
    } finally {
      this.#readFor.delete(userId);
    }
  }

  /** Returns the checked value, or a refusal, which is kept until the preceding checks have passed. */
  async #read(schema: TSchema, sent: SentBody): Promise<RawBody['content']> {
    try {
      const question: LargeBody = { ...sent, schema: bodySchema(schema) };
      const read = (await this.#parsing.run('body', question, tooComplex)) as ReadLargeBody;
      return { value: whole(read), digest: read.digest };
    } catch (error) {
      if (error instanceof AppError) return { refusal: error };
      throw error;
    }
  }
}

type Taking = Pick<Route, 'body' | 'bodyLimitBytes' | 'acceptsForm'>;

interface Arriving {
  readonly message: IncomingMessage;
  readonly body: IncomingBody;
}

const busy = () =>
  new AppError('RATE_LIMITED', 'Another large body of yours is being read. Send this one when it is answered.', {
    details: [{ field: '', issue: 'busy' }],
    retryAfter: 1,
  });

function whole({ value, texts }: ReadLargeBody): unknown {
  for (const { at, bytes } of texts) {
    const [last = '', ...above] = [...at].reverse();
    const holder = above.reduceRight<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
    (holder as Record<string, unknown>)[last] = Buffer.from(bytes.buffer).toString('latin1');
  }
  return value;
}
