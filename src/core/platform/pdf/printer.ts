// Printed pages, A4 and right to left. A document is a value whose pages are rendered in a thread, so that a long document does
// not block a process that serves requests or runs jobs.
import type { Content } from 'pdfmake/interfaces.js';
import { startWorkerPool, type TaskOwner } from '../process/worker-pool.ts';
import type { Requester } from '../pure/lists/fair-queue.ts';
import type { FootLine } from './foot.ts';
import type { PageMargins } from './text.ts';

/** Pages that belong together and are numbered separately. */
export interface PrintedPart {
  readonly content: Content;
  /** Content at the foot of the last page, not split: on an additional page, if the last one has no space for it. */
  readonly atFoot?: Content;
  /** Lines above the lower margin of every page, whose height depends on their text. */
  readonly foot?: readonly FootLine[];
  readonly margins?: PageMargins;
  /**
   * The pages are printed once for each of these, which is placed below the upper margin; the space is that of the highest one.
   */
  readonly copies?: readonly Content[];
  /** The part begins on the front of a sheet, after an empty page if necessary. */
  readonly onFront?: boolean;
  /** The bookmark of the first page. */
  readonly bookmark?: string;
}

export interface PrintedParts {
  readonly title: string;
  /** The creation time in the file: the same content and time give the same bytes. */
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

export const renderPdf = ({ title, madeAt, fontSize, ...part }: Printed, owner?: TaskOwner): Promise<Buffer> =>
  renderParts({ title, madeAt, fontSize, parts: [part] }, owner);

/**
 * `owner` is the requester of the document. Throws an Error if it takes longer than a minute or more memory than a thread may
 * have, and ENGINE_UNAVAILABLE if too many documents are waiting.
 */
export async function renderParts(printed: PrintedParts, owner?: TaskOwner): Promise<Buffer> {
  return Buffer.from((await threads.run('print', printed, owner && { owner })) as Uint8Array);
}

/** The most waiting documents of requests; a further request is refused and may be repeated. */
const mostWaiting = 100;

/** The owner of a document that a request needs, and of one that a job renders. */
export const requestOwner = ({ organizationId, userId }: Requester): TaskOwner => ({
  organizationId,
  userId,
  mostWaiting,
});
export const jobOwner = ({ organizationId, requestedBy }: RequestedJob): TaskOwner => ({
  organizationId,
  userId: requestedBy,
});

interface RequestedJob {
  readonly organizationId: string;
  readonly requestedBy: number;
}
