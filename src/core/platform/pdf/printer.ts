// Printed pages, A4 and right to left. What is printed is a value, and the pages are made in a thread: a process that serves
// requests or runs jobs is not held up by a long document.
import type { Content } from 'pdfmake/interfaces.js';
import { startWorkerPool, type Turn } from '../process/worker-pool.ts';
import type { Requester } from '../pure/lists/fair-queue.ts';
import type { FootLine } from './foot.ts';
import type { PageMargins } from './text.ts';

/** Pages that belong together and are counted by themselves. */
export interface PrintedPart {
  readonly content: Content;
  /** Stands at the foot of the last page, as a whole: of the next one, where there is no room for it. */
  readonly atFoot?: Content;
  /** Stands above the lower margin of every page, as high as its words need. */
  readonly foot?: readonly FootLine[];
  readonly margins?: PageMargins;
  /** The pages once for each of these, which stand below the upper margin of all of them, as high as the highest needs. */
  readonly copies?: readonly Content[];
  /** Begins on the front of a sheet of paper: the page before it stays empty where it has to. */
  readonly onFront?: boolean;
  /** A line in the file's table of contents that leads to the first page. */
  readonly bookmark?: string;
}

export interface PrintedParts {
  readonly title: string;
  /** Stands in the file as the moment at which it was made: the same content and moment give the same bytes. */
  readonly madeAt: Date;
  readonly fontSize: number;
  readonly parts: readonly PrintedPart[];
}

export type Printed = Omit<PrintedParts, 'parts'> & PrintedPart;

const threads = startWorkerPool({
  program: 'workers/printing/worker.ts',
  data: null,
  count: 2,
  youngMb: 16,
  idleMs: 60_000,
  timeoutMs: 60_000,
});

export const renderPdf = ({ title, madeAt, fontSize, ...part }: Printed, turn?: Turn): Promise<Buffer> =>
  renderParts({ title, madeAt, fontSize, parts: [part] }, turn);

/**
 * `turn`: for whom. Throws an Error where a document takes longer than a minute or more memory than a thread may have, and
 * ENGINE_UNAVAILABLE where too many wait.
 */
export async function renderParts(printed: PrintedParts, turn?: Turn): Promise<Buffer> {
  return Buffer.from((await threads.run('print', printed, turn && { turn })) as Uint8Array);
}

/** Documents of requests that wait: a client who waits longer is told to come again. */
const mostWaiting = 100;

/** The turn of a request, and of a job that a worker renders. */
export const turnOfRequest = ({ organizationId, userId }: Requester): Turn => ({ organizationId, userId, mostWaiting });
export const turnOfJob = ({ organizationId, requestedBy }: RequestedJob): Turn => ({
  organizationId,
  userId: requestedBy,
});

interface RequestedJob {
  readonly organizationId: string;
  readonly requestedBy: number;
}
