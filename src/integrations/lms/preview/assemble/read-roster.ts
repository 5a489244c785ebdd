// A complete roster, compressed in memory, so that it can be read more than once without further requests to the provider.
// The rows of one person are in one share, whatever the order of the source.
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Course, isUnread, type RosterOptions, type RosterProvider, type UnreadCourse } from '../../provider.ts';
import type { StagedRow, UnreadCourses } from './stage.ts';

/** So many that a share of the largest roster is small. */
const shares = 64;
/** The size of the uncompressed end of each share. */
const openBytes = 64 * 1024;

export class ReadRoster implements Pick<RosterProvider, 'listCourses' | 'readRoster'> {
  readonly courses: readonly Course[];
  readonly unread: UnreadCourses;
  readonly #shares: readonly Share[];

  private constructor(courses: readonly Course[], unread: UnreadCourses, held: readonly Share[]) {
    this.courses = courses;
    this.unread = unread;
    this.#shares = held;
  }

  /** Reads the roster. Throws what the source throws. */
  static async from(
    source: RosterProvider,
    courseExternalIds: readonly string[],
    options: RosterOptions,
  ): Promise<ReadRoster> {
    const courses = await source.listCourses({ inWorker: true, signal: options.signal });
    const { present, gone } = presentCourses(courses, courseExternalIds);
    const unread = new Map<string, UnreadCourse>(gone);
    const held = Array.from({ length: shares }, () => new Share());
    for await (const row of source.readRoster(present, options)) {
      if (isUnread(row)) unread.set(row.courseExternalId, row.kind);
      else held[shareOf(personOf(row))]?.add(row);
    }
    return new ReadRoster(courses, unread, held);
  }

  /** Yields lists of at least `fewest` rows, except the last one. All rows of a person are in one list. */
  *inParts(fewest: number): Iterable<readonly StagedRow[]> {
    let part: StagedRow[] = [];
    for (const share of this.#shares) {
      for (const page of share.pages()) part.push(...page);
      if (part.length < fewest) continue;
      yield part;
      part = [];
    }
    if (part.length > 0) yield part;
  }

  /** Returns whether the roster contains the person. */
  has(externalId: string): boolean {
    for (const page of this.#shares[shareOf(externalId)]?.pages() ?? []) {
      if (page.some((row) => row.kind === 'person' && row.externalId === externalId)) return true;
    }
    return false;
  }

  listCourses = async (): Promise<Course[]> => [...this.courses];

  async *readRoster() {
    for (const [courseExternalId, kind] of this.unread) yield { kind, courseExternalId };
    for (const share of this.#shares) for (const page of share.pages()) yield* page;
  }
}

/**
 * A part of the rows, in the order of the source. They are held as bytes: as objects they would live until their page is
 * full, and become garbage of the old generation.
 */
class Share {
  readonly #packed: Buffer[] = [];
  #open = Buffer.allocUnsafe(0);
  #length = 0;

  add(row: StagedRow): void {
    const text = `${JSON.stringify(row)},`;
    const bytes = Buffer.byteLength(text);
    if (this.#length + bytes > this.#open.length) this.#pack(bytes);
    this.#length += this.#open.write(text, this.#length);
  }

  /** Compresses the rows so far to make room for more bytes. */
  #pack(bytes: number): void {
    if (this.#length > 0) this.#packed.push(deflateRawSync(this.#open.subarray(0, this.#length), { level: 1 }));
    this.#length = 0;
    if (this.#open.length < bytes) this.#open = Buffer.allocUnsafeSlow(Math.max(bytes, openBytes));
  }

  *pages(): Iterable<readonly StagedRow[]> {
    for (const page of this.#packed) yield rowsIn(inflateRawSync(page));
    yield rowsIn(this.#open.subarray(0, this.#length));
  }
}

/** Parses rows that each end with a comma. */
const rowsIn = (bytes: Buffer): StagedRow[] =>
  JSON.parse(`[${bytes.toString('utf8', 0, Math.max(bytes.length - 1, 0))}]`);

const personOf = (row: StagedRow): string => (row.kind === 'enrollment' ? row.personExternalId : row.externalId);

const shareOf = (externalId: string): number => (createHash('sha1').update(externalId).digest()[0] ?? 0) % shares;

export interface PresentCourses {
  readonly present: readonly string[];
  /** The reason for each missing course, as the rows of the source would give it. */
  readonly gone: ReadonlyMap<string, 'course_gone'>;
}

/**
 * Splits the requested courses by whether the source still lists them as active. A course that has gone is not read, so that
 * it ends no enrollment.
 */
export function presentCourses(courses: readonly Course[], courseExternalIds: readonly string[]): PresentCourses {
  const active = new Set(courses.filter((course) => course.active).map(({ courseExternalId }) => courseExternalId));
  const gone = courseExternalIds.filter((id) => !active.has(id));
  return {
    present: courseExternalIds.filter((id) => active.has(id)),
    gone: new Map(gone.map((id) => [id, 'course_gone'])),
  };
}
