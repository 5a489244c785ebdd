// What a capability says of the documents that it lets workers render. The jobs of all of them are run here.
import type { TSchema } from 'typebox';
import type { Actor } from '#core/http/route.ts';
import { byName, type Capability } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ReportFailure } from './enums.ts';
import type { ReportCounts, ReportJob } from './rows/store.ts';

/** What a file will be, before its bytes are made. */
export interface PreparedReport {
  readonly contentType: string;
  /** Never a person's name. */
  readonly fileName: string;
  /** Whom the file names: it goes with each of them. */
  readonly studentIds: readonly number[];
  /** Pieces whose progress is told; one unless it is said. */
  readonly total?: number;
  /** What is in it, told beside the progress. */
  readonly counts?: ReportCounts;
  /**
   * Called when no transaction is open. `note` tells how many pieces are done; it may be called after each. Throws
   * ReportRefusal, or anything else for a fault.
   */
  render(note: NoteProgress): Promise<Uint8Array>;
}

export type NoteProgress = (done: number) => Promise<void>;

export interface ReportKind {
  /** As it stands on the wire. Its queue is called the same, with `-` for `_`. */
  readonly kind: string;
  /**
   * How long the same document is asked for once: as long as its file is there, or while it is on its way, so that whoever
   * asks later gets later facts.
   */
  readonly askedOnce: 'while_kept' | 'while_open';
  /** What it is about, as `/api/report-jobs` tells it. A kind without it is read at addresses of its own. */
  readonly target?: ReportTarget;
  /**
   * Its word in the record of who has read what, where it goes by the subject; null for a document that names nobody.
   */
  readonly discloses: string | null;
  /** Days that a file is kept. */
  readonly keepDays: number;
  readonly mostBytes: number;
  /** Reads the facts of one attempt. Throws ReportRefusal, or ENGINE_UNAVAILABLE without language rules. */
  prepare(services: Services, trx: Trx, job: ReportJob): Promise<PreparedReport>;
  /** Throws PERMISSION_DENIED where the caller may not ask for this document; never called for administrators. */
  requireReach(asking: Asking, job: ReportJob): Promise<void>;
}

interface ReportTarget {
  readonly schema: TSchema;
  of(subject: string): object;
}

export interface Asking {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

/** Why there is no file, in the words of the job. */
export class ReportRefusal extends Error {
  override readonly name = 'ReportRefusal';
  readonly failure: ReportFailure;

  constructor(failure: ReportFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly reportKinds?: readonly ReportKind[];
  }
}

/** Those of all capabilities, by their words. Throws RangeError for a word that two of them have. */
export const reportKinds = (capabilities: readonly Capability[]): ReadonlyMap<string, ReportKind> =>
  byName(
    'documents that workers render',
    capabilities.flatMap(({ reportKinds: own = [] }) => own),
    ({ kind }) => kind,
  );

/** Those that are read at `/api/report-jobs`. */
export const sharedKinds = (capabilities: readonly Capability[]) =>
  [...reportKinds(capabilities).values()].flatMap(({ kind, target }) => (target ? [{ kind, target }] : []));

/** Words of documents that name people, of kinds that are read at `/api/report-jobs`. */
export const sharedDisclosures = (capabilities: readonly Capability[]): string[] =>
  [...reportKinds(capabilities).values()].flatMap(({ discloses, target }) => (target && discloses ? [discloses] : []));

/** Throws RangeError for a kind that no capability of this process has. */
export function kindOf({ capabilities }: Pick<Services, 'capabilities'>, name: string): ReportKind {
  const found = reportKinds(capabilities).get(name);
  if (!found) throw new RangeError(`nobody renders ${name}`);
  return found;
}
