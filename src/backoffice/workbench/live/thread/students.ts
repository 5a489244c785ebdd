// The students of the organizations that were asked about, in memory: the newest run of each, packed. Organizations are loaded when
// they are first asked about, brought up to date before each answer, and the least used one leaves when the memory is full.
import type { simulation } from '#assessment/skill-status/index.ts';
import type { Db } from '#core/platform/db.ts';
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { slicesOf } from '../../chunks.ts';
import { EvidencePacker } from '../engine/packed-evidence.ts';
import type { IndexState, LiveScope } from '../question.ts';
import { goneStudents, type Member, membersByClass, type NewestRun, type Part, runsOf, runsSince } from './reads.ts';
import type { RecordedRules } from './recorded-rules.ts';

export interface IndexedRun {
  readonly grade: number;
  readonly contextReview: boolean;
  readonly evidence: Uint8Array;
  /** What the rules in force answer, as `RecordedRules.recordOf` packs it, and the key of these rules. */
  record: Uint8Array;
  recordedBy: RecordedRules;
}

export interface IndexedStudent {
  readonly studentId: number;
  member: Member;
  schoolYear: string;
  /** The number of the newest run that is known; 0 before one was seen in the ledger. */
  seq: number;
  /** A run is to be read: none was yet, or a newer one is stored. */
  isStale: boolean;
  /** Null without a run of the school year. */
  run: IndexedRun | null;
}

interface IndexedOrganization {
  readonly organizationId: string;
  readonly students: Map<number, IndexedStudent>;
  /** Grows with each difference, so that counts that began before it begin anew. */
  version: number;
  bytes: number;
  usedAt: number;
  membersAt: number;
  /** The number of the ledger from which runs are looked for; 0 before the first look. */
  since: number;
  /** Its students are more than the memory may hold, until this moment. */
  tooLargeUntil: number;
}

/** Who is in which class is at most this old. */
const membersMs = 15_000;
/** An organization that was too large is not loaded again for this long. */
const tooLargeMs = 60_000;
const studentsAtOnce = 200;
/** What a student takes beside the packed bytes. */
const bytesOfStudent = 700;
/** What a question takes that is kept once. */
const bytesOfQuestion = 500;

export interface StudentsOptions {
  readonly db: Db;
  readonly part: Part;
  readonly mostBytes: number;
  /** Milliseconds since any moment. */
  readonly elapsedMs: () => number;
}

/** The rules and the moment under which students are loaded. */
export interface Loading extends LiveScope {
  readonly baseline: RecordedRules;
  readonly schoolYearIn: (timeZone: string) => string;
}

export class IndexedStudents {
  readonly packer = new EvidencePacker();
  readonly #options: StudentsOptions;
  readonly #organizations = new Map<string, IndexedOrganization>();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: StudentsOptions) {
    this.#options = options;
  }

  /**
   * Brings the organizations up to date, and returns whether that was done by `untilMs` (of `performance.now()`); it goes on
   * afterwards. Throws what the reads throw.
   */
  async update(loading: Loading, untilMs: number): Promise<boolean> {
    const turn = this.#turn.catch(() => {}).then(() => this.#update(loading));
    this.#turn = turn;
    turn.catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, untilMs - performance.now()), false);
    });
    try {
      return await Promise.race([turn.then(() => true), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #update(loading: Loading): Promise<void> {
    const now = this.#options.elapsedMs();
    const asked = loading.organizations.map((id) => this.#organization(id));
    for (const one of asked) one.usedAt = now;
    const open = asked.filter(({ tooLargeUntil }) => tooLargeUntil < now);
    await this.#readMembers(
      open.filter(({ membersAt }) => now - membersAt >= membersMs),
      loading,
    );
    await this.#removeGone(open);
    await this.#markStale(open.filter(({ since }) => since === 0));
    await this.#markStale(open.filter(({ since }) => since > 0));
    for (const organization of open) await this.#load(organization, loading);
  }

  #organization(organizationId: string): IndexedOrganization {
    const known = this.#organizations.get(organizationId);
    if (known) return known;
    const made: IndexedOrganization = {
      ...{ organizationId, students: new Map(), version: 0, bytes: 0 },
      ...{ usedAt: 0, membersAt: Number.NEGATIVE_INFINITY, since: 0, tooLargeUntil: Number.NEGATIVE_INFINITY },
    };
    this.#organizations.set(organizationId, made);
    return made;
  }

  async #readMembers(organizations: readonly IndexedOrganization[], { schoolYearIn }: Loading): Promise<void> {
    if (organizations.length === 0) return;
    const readAt = this.#options.elapsedMs();
    const members = await membersByClass(this.#options.db, idsOf(organizations), this.#options.part);
    const membersIn = grouped(members, ({ organizationId }) => organizationId);
    for (const organization of organizations) {
      const own = membersIn.get(organization.organizationId) ?? [];
      const present = new Set(own.map(({ studentId }) => studentId));
      for (const studentId of organization.students.keys()) if (!present.has(studentId)) drop(organization, studentId);
      for (const member of own) place(organization, member, schoolYearIn(member.timeZone));
      organization.membersAt = readAt;
    }
  }

  async #removeGone(organizations: readonly IndexedOrganization[]): Promise<void> {
    const gone = await goneStudents(this.#options.db, idsOf(organizations), this.#options.part);
    for (const { organizationId, studentId } of gone) {
      const organization = this.#organizations.get(organizationId);
      if (organization) drop(organization, studentId);
    }
  }

  async #markStale(organizations: readonly IndexedOrganization[]): Promise<void> {
    if (organizations.length === 0) return;
    const since = Math.min(...organizations.map((one) => one.since));
    const { runs, sealed } = await runsSince(this.#options.db, idsOf(organizations), since, this.#options.part);
    for (const run of runs) this.#markNewer(run);
    for (const organization of organizations) organization.since = sealed;
  }

  #markNewer({ organizationId, studentId, seq }: NewestRun): void {
    const student = this.#organizations.get(organizationId)?.students.get(studentId);
    if (!student || seq <= student.seq) return;
    student.seq = seq;
    student.isStale = true;
  }

  async #load(organization: IndexedOrganization, loading: Loading): Promise<void> {
    const stale = [...organization.students.values()].filter(({ isStale }) => isStale);
    for (const some of slicesOf(stale, studentsAtOnce)) {
      const { organizationId } = organization;
      const seqs = some.map(({ seq }) => seq);
      const runs = await runsOf(this.#options.db, organizationId, some, loading.now);
      const runOf = new Map(runs.map((run) => [run.studentId, run]));
      for (const [at, student] of some.entries()) {
        if (organization.students.get(student.studentId) !== student) continue;
        this.#keep(organization, student, runOf.get(student.studentId), loading);
        student.isStale = student.seq !== seqs[at];
      }
      if (!this.#makeRoom(organization, loading)) return;
    }
  }

  #keep(
    organization: IndexedOrganization,
    student: IndexedStudent,
    run: simulation.SimulatedRun | undefined,
    { baseline, now }: Loading,
  ): void {
    organization.bytes -= bytesOf(student);
    organization.version += 1;
    student.run = run
      ? {
          ...{ grade: run.grade, contextReview: run.contextReview, evidence: this.packer.pack(run.input) },
          ...{ record: baseline.recordOf(run.input, run, now), recordedBy: baseline },
        }
      : null;
    organization.bytes += bytesOf(student);
  }

  /** Records anew what the rules in force answer, where others were in force before. */
  record(student: IndexedStudent, run: IndexedRun, { baseline, now }: Loading): void {
    if (run.recordedBy === baseline) return;
    const organization = this.#organizations.get(student.member.organizationId);
    if (organization) organization.bytes -= bytesOf(student);
    run.record = baseline.recordOf(this.packer.unpack(run.evidence), run, now);
    run.recordedBy = baseline;
    if (organization) organization.bytes += bytesOf(student);
  }

  /** Returns false where the organization itself had to leave. */
  #makeRoom(organization: IndexedOrganization, { organizations, baseline }: Loading): boolean {
    const inUse = new Set(organizations);
    while (this.#bytes(baseline) > this.#options.mostBytes) {
      const others = [...this.#organizations.values()].filter(({ organizationId }) => !inUse.has(organizationId));
      const [least] = others.sort((one, other) => one.usedAt - other.usedAt);
      if (!least) {
        for (const id of organizations) this.#refuse(id);
        return false;
      }
      this.#organizations.delete(least.organizationId);
    }
    return this.#organizations.get(organization.organizationId) === organization;
  }

  #refuse(organizationId: string): void {
    this.#organizations.delete(organizationId);
    this.#organization(organizationId).tooLargeUntil = this.#options.elapsedMs() + tooLargeMs;
  }

  #bytes({ questions }: RecordedRules): number {
    let bytes = questions.size * bytesOfQuestion + this.packer.size * bytesOfQuestion;
    for (const organization of this.#organizations.values()) bytes += organization.bytes;
    return bytes;
  }

  /** Returns the students of the scope with a run, in the order of organizations and ids. */
  inScope({ organizations, scope }: LiveScope): IndexedStudent[] {
    return organizations.flatMap((id) => {
      const students = [...(this.#organizations.get(id)?.students.values() ?? [])];
      return students
        .filter(({ run, member }) => run !== null && isInScope(member, scope))
        .sort((one, other) => one.studentId - other.studentId);
    });
  }

  liveStateOf({ organizations, scope }: LiveScope, of: number): IndexState {
    const now = this.#options.elapsedMs();
    let [isLoaded, isTooLarge, runsBehind] = [true, false, 0];
    for (const id of organizations) {
      const { students, membersAt, tooLargeUntil } = this.#organization(id);
      if (tooLargeUntil >= now) isTooLarge = true;
      if (membersAt === Number.NEGATIVE_INFINITY) isLoaded = false;
      for (const { isStale, run, member } of students.values()) {
        if (!isStale || !isInScope(member, scope)) continue;
        isLoaded = false;
        if (run !== null) runsBehind += 1;
      }
    }
    return { of, isLoaded, isTooLarge, runsBehind };
  }

  /** Equal as long as nothing about these organizations differs. */
  versionOf({ organizations }: LiveScope): string {
    return organizations.map((id) => this.#organizations.get(id)?.version ?? -1).join(' ');
  }
}

const idsOf = (organizations: readonly IndexedOrganization[]): string[] =>
  organizations.map(({ organizationId }) => organizationId);

function isInScope({ schoolId, classId }: Member, scope: LiveScope['scope']): boolean {
  if ('schoolId' in scope) return schoolId === scope.schoolId;
  return 'classId' in scope ? classId === scope.classId : true;
}

function place(organization: IndexedOrganization, member: Member, schoolYear: string): void {
  const known = organization.students.get(member.studentId);
  if (!known) {
    const student = { studentId: member.studentId, member, schoolYear, seq: 0, isStale: true, run: null };
    organization.students.set(member.studentId, student);
    organization.bytes += bytesOf(student);
    return;
  }
  if (known.member.classId !== member.classId || known.member.schoolId !== member.schoolId) organization.version += 1;
  if (known.schoolYear !== schoolYear) known.isStale = true;
  known.member = member;
  known.schoolYear = schoolYear;
}

function drop(organization: IndexedOrganization, studentId: number): void {
  const student = organization.students.get(studentId);
  if (!student) return;
  organization.bytes -= bytesOf(student);
  organization.version += 1;
  organization.students.delete(studentId);
}

const bytesOf = ({ run }: IndexedStudent): number =>
  bytesOfStudent + (run ? run.evidence.length + run.record.length : 0);
