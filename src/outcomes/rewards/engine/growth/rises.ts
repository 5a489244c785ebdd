// Finds statuses that rose by a new measurement (60 §1): snapshots of one school year are compared with the newest
// earlier decided one. A rise without a new session is no growth.
import { orderedStatuses, type SkillStatus } from '#assessment/skill-status/engine/index.ts';

/** The session of the newest evidence. */
export interface EvidenceOf {
  readonly id: string;
  /** ISO 8601 instant at which it was stored. */
  readonly endedAt: string;
  readonly source: string;
}

interface StoredSnapshot {
  /** Ascends in the order of runs. */
  readonly id: number;
  readonly runId: string;
  /** Null when undecided. */
  readonly status: SkillStatus | null;
  /** ISO 8601. */
  readonly decidedAt?: string;
  /** When the evidence that it added was voided; absent without a void. */
  readonly voids?: readonly VoidPeriod[] | null;
}

/** ISO 8601; `until` is null while the void stands. */
export interface VoidPeriod {
  readonly at: string;
  readonly until: string | null;
}

export interface SkillSnapshot extends StoredSnapshot {
  readonly subSkillCode: string;
  /** Null without evidence. */
  readonly session: EvidenceOf | null;
}

export interface DomainSnapshot extends StoredSnapshot {
  readonly domainCode: string;
}

/** A row whose session is not resolved yet. */
export interface StoredSkillSnapshot extends Omit<SkillSnapshot, 'session'> {
  /** Null without evidence. */
  readonly sessionId: string | null;
}

/** Snapshots of one student and school year, in the order of runs. */
export interface StoredYear {
  readonly skills: readonly StoredSkillSnapshot[];
  readonly domains: readonly DomainSnapshot[];
}

/** Snapshots of one student and school year with their sessions. */
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

/** Returns the rank in the order, worst 0, or undefined for statuses about the evidence instead of the skill. */
export function rankOf(status: string | null): number | undefined {
  const rank = (orderedStatuses as readonly (string | null)[]).indexOf(status);
  return rank < 0 ? undefined : rank;
}

/**
 * Returns whether a run has an improved row, and a row measured by another session. A rule change that raises a whole
 * school has only the former.
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

/** Returns undefined for the first decided row, without improvement, or without a new session. */
export function skillRise({ skills }: YearHistory, snapshotId: number): Rise | undefined {
  const row = skills.find(({ id }) => id === snapshotId);
  const own = ofSkill(skills, row?.subSkillCode);
  const better = row && improvement(row, own);
  const session = row && measuredBy(row, own);
  return better && session && { snapshotId, ...better, session };
}

/** `codes` are the domain's sub-skills. */
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

/** Returns the session by which a snapshot measures its sub-skill anew, if any. */
export function newMeasurement({ skills }: YearHistory, snapshotId: number): EvidenceOf | undefined {
  const row = skills.find(({ id }) => id === snapshotId);
  return row && measuredBy(row, ofSkill(skills, row.subSkillCode));
}

/** Returns the newest earlier decided row whose evidence was not voided by then. */
const compared = <Row extends StoredSnapshot>(row: StoredSnapshot, own: readonly Row[]): Row | undefined =>
  own.findLast((one) => one.id < row.id && one.status !== null && !wasVoided(one, row));

function wasVoided({ voids }: StoredSnapshot, { decidedAt }: StoredSnapshot): boolean {
  if (!voids || decidedAt === undefined) return false;
  const moment = Date.parse(decidedAt);
  return voids.some(({ at, until }) => Date.parse(at) <= moment && (until === null || Date.parse(until) > moment));
}

/** Returns undefined when one of the two statuses is not on the ordered scale. */
function improvement(row: StoredSnapshot, own: readonly StoredSnapshot[]): Pick<Rise, 'from' | 'to'> | undefined {
  const before = compared(row, own);
  const [from, to] = [rankOf(before?.status ?? null), rankOf(row.status)];
  if (from === undefined || to === undefined || to <= from) return undefined;
  return { from: orderedStatuses[from] as SkillStatus, to: orderedStatuses[to] as SkillStatus };
}

/**
 * Returns the session of a row when it is newer than the sessions of all earlier rows. A session that returns because
 * an item is no longer withdrawn, or because a newer one has aged out, is no new measurement.
 */
function measuredBy(row: SkillSnapshot, own: readonly SkillSnapshot[]): EvidenceOf | undefined {
  const { session } = row;
  const earlier = own.filter(({ id }) => id < row.id).flatMap((one) => one.session ?? []);
  const before = compared(row, own)?.session;
  const isNew = session !== null && session.id !== before?.id && earlier.every((one) => isAfter(session, one));
  return isNew ? session : undefined;
}

/** For a sub-skill without an earlier row, a session is new when no sub-skill had it before. */
function newSession(row: SkillSnapshot, skills: readonly SkillSnapshot[]): EvidenceOf | undefined {
  const own = ofSkill(skills, row.subSkillCode);
  if (own.some(({ id }) => id < row.id)) return measuredBy(row, own);
  return measuredBy(
    row,
    skills.filter(({ id, runId }) => id === row.id || runId !== row.runId),
  );
}

/** Orders sessions by end, then by id, as the engine does. */
const isAfter = (one: EvidenceOf, other: EvidenceOf | undefined): boolean =>
  other === undefined || one.endedAt > other.endedAt || (one.endedAt === other.endedAt && one.id > other.id);
