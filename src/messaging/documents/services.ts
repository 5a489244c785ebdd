// The kinds of documents that capabilities declare. This capability runs the jobs of all kinds.
import type { TSchema } from 'typebox';
import type { Actor } from '#core/http/route.ts';
import { byName, type Capability } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ReportFailure } from './enums.ts';
import type { ReportCounts, ReportJob } from './rows/store.ts';

/** The description of a file before it is rendered. */
export interface PreparedReport {
  readonly contentType: string;
  /** Never contains a person's name. */
  readonly fileName: string;
  /** The people whom the file names: it is removed with each of them. */
  readonly studentIds: readonly number[];
  /** The number of pieces whose progress is reported. Default: one. */
  readonly total?: number;
  /** The content in numbers, reported with the progress. */
  readonly counts?: ReportCounts;
  /**
   * Called outside of transactions. `note` reports how many pieces are done; it may be called after each. Throws
   * ReportRefusal, or another error for a fault.
   */
  render(note: NoteProgress): Promise<Uint8Array>;
}

export type NoteProgress = (done: number) => Promise<void>;

export interface ReportKind {
  /** The name in the API. The queue has the same name, with `-` in place of `_`. */
  readonly kind: string;
  /**
   * How long further requests get the same document: as long as its file exists, or while its job is open, so that later
   * requests get later facts.
   */
  readonly askedOnce: 'while_kept' | 'while_open';
  /** The subject, as `/api/report-jobs` names it. A kind without it is read at addresses of its own. */
  readonly target?: ReportTarget;
  /**
   * The word for it in the record of disclosures, under the subject; null for a document that names no person.
   */
  readonly discloses: string | null;
  /** How many days a file is kept. */
  readonly keepDays: number;
  readonly mostBytes: number;
  /** Reads the facts of one attempt. Throws ReportRefusal, or ENGINE_UNAVAILABLE without language rules. */
  prepare(services: Services, trx: Trx, job: ReportJob): Promise<PreparedReport>;
  /** Throws PERMISSION_DENIED if the caller may not request this document; never called for administrators. */
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

/** The reason why there is no file, as an error code of the job. */
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

/** Returns the kinds of all capabilities by name. Throws RangeError for a name that two capabilities declare. */
export const reportKinds = (capabilities: readonly Capability[]): ReadonlyMap<string, ReportKind> =>
  byName(
    'documents that workers render',
    capabilities.flatMap(({ reportKinds: own = [] }) => own),
    ({ kind }) => kind,
  );

/** Returns the kinds that are read at `/api/report-jobs`. */
export const sharedKinds = (capabilities: readonly Capability[]) =>
  [...reportKinds(capabilities).values()].flatMap(({ kind, target }) => (target ? [{ kind, target }] : []));

/** Returns the disclosure words of documents that name people, for kinds that are read at `/api/report-jobs`. */
export const sharedDisclosures = (capabilities: readonly Capability[]): string[] =>
  [...reportKinds(capabilities).values()].flatMap(({ discloses, target }) => (target && discloses ? [discloses] : []));

/** Throws RangeError for a kind that no capability of this process declares. */
export function reportKindOf({ capabilities }: Pick<Services, 'capabilities'>, name: string): ReportKind {
  const found = reportKinds(capabilities).get(name);
  if (!found) throw new RangeError(`no capability renders ${name}`);
  return found;
}
