// When a status has risen by a new measurement (60 §1): snapshots of one school year are compared with the newest earlier
// decided one, and what no new session stands behind mints nothing.
import { orderedStatuses, type SkillStatus } from '#assessment/skill-status/engine/index.ts';

/** The session of the newest evidence. */
export interface EvidenceOf {
  readonly id: string;
  /** ISO 8601 instant at which it was stored. */
  readonly endedAt: string;
  readonly source: string;
}

interface Judged {
  /** Ascending in the order of the runs. */
  readonly id: number;
  readonly runId: string;
  /** Null unless decided. */
  readonly status: SkillStatus | null;
}

export interface SkillSnapshot extends Judged {
  readonly subSkillCode: string;
  /** Null without evidence. */
  readonly session: EvidenceOf | null;
}

export interface DomainSnapshot extends Judged {
  readonly domainCode: string;
}

/** A row whose session is not looked up yet. */
export interface StoredSkillSnapshot extends Omit<SkillSnapshot, 'session'> {
  /** Null without evidence. */
  readonly sessionId: string | null;
}

/** Of one student and school year, in the order of the runs. */
export interface StoredYear {
  readonly skills: readonly StoredSkillSnapshot[];
  readonly domains: readonly DomainSnapshot[];
}

/** The same, with the sessions. */
export interface YearHistory {
  readonly skills: readonly SkillSnapshot[];
  readonly domains: readonly DomainSnapshot[];
}

export interface Rise {
  readonly snapshotId: number;
  readonly from: SkillStatus;
  readonly to: SkillStatus;
  readonly session: EvidenceOf;
}

/** Place in the order, worst 0; undefined for what speaks of the evidence and not of the skill. */
export function rankOf(status: string | null): number | undefined {
  const place = (orderedStatuses as readonly (string | null)[]).indexOf(status);
  return place < 0 ? undefined : place;
}

/**
 * Whether a run has a row that is better than the one that it is compared with, and measured by another session: rules that
 * lift a whole school have only the first.
 */
export const mayRise = ({ skills, domains }: StoredYear, runId: string): boolean =>
  skills.some((row) => row.runId === runId && hasOtherSession(row, ofSkill(skills, row.subSkillCode))) &&
  (skills.some((row) => row.runId === runId && improvement(row, ofSkill(skills, row.subSkillCode))) ||
    domains.some((row) => row.runId === runId && improvement(row, ofDomain(domains, row.domainCode))));

const hasOtherSession = (row: StoredSkillSnapshot, own: readonly StoredSkillSnapshot[]): boolean =>
  row.sessionId !== null && row.sessionId !== compared(row, own)?.sessionId;

const ofSkill = <Row extends Pick<SkillSnapshot, 'subSkillCode'>>(
  skills: readonly Row[],
  code: string | undefined,
): Row[] => skills.filter(({ subSkillCode }) => subSkillCode === code);

const ofDomain = (domains: readonly DomainSnapshot[], code: string): DomainSnapshot[] =>
  domains.filter(({ domainCode }) => domainCode === code);

/** Undefined: the first decided row, no better one, or one that no new session has led to. */
export function skillRise({ skills }: YearHistory, snapshotId: number): Rise | undefined {
  const row = skills.find(({ id }) => id === snapshotId);
  const own = ofSkill(skills, row?.subSkillCode);
  const better = row && improvement(row, own);
  const session = row && measuredBy(row, own);
  return better && session && { snapshotId, ...better, session };
}

/** `codes`: the domain's sub-skills. */
export function domainRise(
  { skills, domains }: YearHistory,
  snapshotId: number,
  codes: ReadonlySet<string>,
): Rise | undefined {
  const row = domains.find(({ id }) => id === snapshotId);
  const better = row && improvement(row, ofDomain(domains, row.domainCode));
  if (!better) return undefined;
  const sessions = skills
    .filter(({ runId, subSkillCode }) => runId === row.runId && codes.has(subSkillCode))
    .flatMap((skill) => newSession(skill, skills) ?? []);
  const session = sessions.reduce<EvidenceOf | undefined>(
    (newest, one) => (isAfter(one, newest) ? one : newest),
    undefined,
  );
  return session && { snapshotId, ...better, session };
}

/** The session by which a snapshot is a new measurement of its sub-skill, where there was one before. */
export function newMeasurement({ skills }: YearHistory, snapshotId: number): EvidenceOf | undefined {
  const row = skills.find(({ id }) => id === snapshotId);
  return row && measuredBy(row, ofSkill(skills, row.subSkillCode));
}

/** A row that is not decided is no row to compare with. */
const compared = <Row extends Judged>({ id }: Judged, own: readonly Row[]): Row | undefined =>
  own.findLast((row) => row.id < id && row.status !== null);

/** One that is not ordered ends the comparison. */
function improvement(row: Judged, own: readonly Judged[]): Pick<Rise, 'from' | 'to'> | undefined {
  const before = compared(row, own);
  const [from, to] = [rankOf(before?.status ?? null), rankOf(row.status)];
  if (from === undefined || to === undefined || to <= from) return undefined;
  return { from: orderedStatuses[from] as SkillStatus, to: orderedStatuses[to] as SkillStatus };
}

/**
 * Newer than the newest session of every earlier row, and another one: a session that comes back because an item is no longer
 * withdrawn, or that is the newest again because another one has aged, is no new measurement.
 */
function measuredBy(row: SkillSnapshot, own: readonly SkillSnapshot[]): EvidenceOf | undefined {
  const { session } = row;
  const earlier = own.filter(({ id }) => id < row.id).flatMap((one) => one.session ?? []);
  const before = compared(row, own)?.session;
  const isNew = session !== null && session.id !== before?.id && earlier.every((one) => isAfter(session, one));
  return isNew ? session : undefined;
}

/** A sub-skill without an earlier row is measured by a session that no sub-skill had before. */
function newSession(row: SkillSnapshot, skills: readonly SkillSnapshot[]): EvidenceOf | undefined {
  const own = ofSkill(skills, row.subSkillCode);
  if (own.some(({ id }) => id < row.id)) return measuredBy(row, own);
  return measuredBy(
    row,
    skills.filter(({ id, runId }) => id === row.id || runId !== row.runId),
  );
}

/** As the engine orders sessions: by end, then by id. */
const isAfter = (one: EvidenceOf, other: EvidenceOf | undefined): boolean =>
  other === undefined || one.endedAt > other.endedAt || (one.endedAt === other.endedAt && one.id > other.id);
