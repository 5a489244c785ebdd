// A roster that was read whole and is held packed, so that it can be gone through more than once without asking the provider
// again: rows of one person lie together, whatever order they came in.
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Course, isUnread, type RosterAsking, type RosterProvider, type UnreadCourse } from '../../provider.ts';
import type { ContentRow, UnreadCourses } from './stage.ts';

/** As many as keep one of them small in the largest roster. */
const shares = 64;
/** Of each share: what has come last is held as it is, the rest packed. */
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

  /** Throws what the source throws. */
  static async from(
    source: RosterProvider,
    courseExternalIds: readonly string[],
    asking: RosterAsking,
  ): Promise<ReadRoster> {
    const courses = await source.listCourses({ inWorker: true, signal: asking.signal });
    const { present, gone } = presentCourses(courses, courseExternalIds);
    const unread = new Map<string, UnreadCourse>(gone);
    const held = Array.from({ length: shares }, () => new Share());
    for await (const row of source.readRoster(present, asking)) {
      if (isUnread(row)) unread.set(row.courseExternalId, row.kind);
      else held[shareOf(personOf(row))]?.add(row);
    }
    return new ReadRoster(courses, unread, held);
  }

  /** Lists of at least `fewest` rows, but for the last one: of each person all rows or none. */
  *inParts(fewest: number): Iterable<readonly ContentRow[]> {
    let part: ContentRow[] = [];
    for (const share of this.#shares) {
      for (const page of share.pages()) part.push(...page);
      if (part.length < fewest) continue;
      yield part;
      part = [];
    }
    if (part.length > 0) yield part;
  }

  /** Whether it names the person. */
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
 * Rows in the order in which they came, as bytes at once: rows that wait as objects until a page of their share is full would
 * all grow old in memory, and be garbage there.
 */
class Share {
  readonly #packed: Buffer[] = [];
  #open = Buffer.allocUnsafe(0);
  #length = 0;

  add(row: ContentRow): void {
    const text = `${JSON.stringify(row)},`;
    const bytes = Buffer.byteLength(text);
    if (this.#length + bytes > this.#open.length) this.#pack(bytes);
    this.#length += this.#open.write(text, this.#length);
  }

  /** Makes room for as many bytes. */
  #pack(bytes: number): void {
    if (this.#length > 0) this.#packed.push(deflateRawSync(this.#open.subarray(0, this.#length), { level: 1 }));
    this.#length = 0;
    if (this.#open.length < bytes) this.#open = Buffer.allocUnsafeSlow(Math.max(bytes, openBytes));
  }

  *pages(): Iterable<readonly ContentRow[]> {
    for (const page of this.#packed) yield rowsIn(inflateRawSync(page));
    yield rowsIn(this.#open.subarray(0, this.#length));
  }
}

/** Each row ends with a comma. */
const rowsIn = (bytes: Buffer): ContentRow[] =>
  JSON.parse(`[${bytes.toString('utf8', 0, Math.max(bytes.length - 1, 0))}]`);

const personOf = (row: ContentRow): string => (row.kind === 'enrollment' ? row.personExternalId : row.externalId);

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
