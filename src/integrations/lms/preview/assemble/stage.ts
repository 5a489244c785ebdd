// Stores the rows of a roster, which is read once, in tables where they can be joined with the data of the organization.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { accountEmail, fullName } from '../../engine/normal.ts';
import { entityOf } from '../../engine/people.ts';
import { erasedAmong, hashesOf, holdErasures, type RosterOwner } from '../../personal-data/erased.ts';
import {
  type EnrollmentRow,
  type FaultRow,
  isUnread,
  type PersonRow,
  type RosterProvider,
  type RosterRole,
  type UnreadCourse,
} from '../../provider.ts';
import { whileHeld } from '../lease.ts';
import type { LmsPreview } from '../rows.ts';

/** Few enough that most of the memory of a batch is released at once. */
const batchSize = 500;

export interface StagedPerson {
  readonly roles: readonly RosterRole[];
  /** Null also for a deleted person without further values. */
  readonly fullNameAr: string | null;
  readonly email: string | null;
  readonly active: boolean;
  readonly grade: number | null;
  readonly childExternalIds: readonly string[];
  readonly isBad: boolean;
  readonly isErased: boolean;
}

export interface StagedEnrollment {
  readonly from: string | null;
  readonly to: string | null;
  readonly active: boolean;
  readonly primary: boolean;
  readonly isBad: boolean;
}

interface Staging {
  readonly services: Services;
  readonly preview: LmsPreview;
  /** YYYY-MM-DD in the time zone of the organization. */
  readonly today: string;
  readonly signal?: AbortSignal | undefined;
}

export type StagedRow = PersonRow | EnrollmentRow | FaultRow;

/** The requested courses that were not read, with the reason. */
export type UnreadCourses = ReadonlyMap<string, UnreadCourse>;

/** Returns the courses that could not be read. */
export async function stageRoster(
  staging: Staging,
  source: Pick<RosterProvider, 'readRoster'>,
  courseExternalIds: readonly string[],
): Promise<UnreadCourses> {
  const { services, today, signal } = staging;
  const unread = new Map<string, UnreadCourse>();
  let batch: StagedRow[] = [];
  const options = { guardians: services.config.lms.guardianImport, today, ...(signal && { signal }) };
  for await (const row of source.readRoster(courseExternalIds, options)) {
    if (isUnread(row)) unread.set(row.courseExternalId, row.kind);
    else batch.push(row);
    if (batch.length < batchSize) continue;
    await stageBatch(staging, batch);
    batch = [];
  }
  await stageBatch(staging, batch);
  return unread;
}

async function stageBatch({ services, preview, today }: Staging, batch: readonly StagedRow[]): Promise<void> {
  if (batch.length === 0) return;
  const { organizationId, provider } = preview;
  const seen = peopleToStage(services, { organizationId, provider }, batch);
  const enrollments = enrollmentsOf(batch, today);
  await whileHeld(services.db, preview, async (trx) => {
    await holdErasures(trx, organizationId);
    await insertPeople(trx, preview, await seen(trx));
    await insertEnrollments(trx, preview, enrollments);
  });
}

/**
 * Returns a function that reads erasures in the transaction that stores the people. Only the external id of an erased person
 * is kept.
 */
export function peopleToStage(
  { cipher }: Pick<Services, 'cipher'>,
  owner: RosterOwner,
  batch: readonly StagedRow[],
): (trx: Trx) => Promise<PersonToStage[]> {
  const people = batch.flatMap((row) => personOf(row));
  const ids = people.map(({ externalId }) => externalId);
  const hashes = hashesOf(cipher, owner, ids);
  return async (trx) => {
    // A roster does not create an erased person again.
    const erased = await erasedAmong(trx, owner, hashes);
    return people.map((one) => (erased.has(one.externalId) ? withoutPersonalData(one) : one));
  };
}

/** Merges rows of the same person, course and role into one, which is open when any of them is. */
export function enrollmentsOf(batch: readonly StagedRow[], today: string): EnrollmentToStage[] {
  const merged = new Map<string, EnrollmentToStage>();
  for (const row of batch.flatMap((content) => enrollmentOf(content, today))) {
    const key = JSON.stringify([row.courseExternalId, row.personExternalId, row.role]);
    if (!merged.get(key)?.isOpen) merged.set(key, row);
  }
  return [...merged.values()];
}

export interface PersonToStage {
  readonly externalId: string;
  readonly content: StagedPerson;
}

const noValues = { fullNameAr: null, email: null, grade: null, childExternalIds: [] } as const;

function personOf(row: StagedRow): PersonToStage[] {
  if (row.kind === 'fault' && row.entity !== 'enrollment') {
    const content = { ...noValues, roles: [row.entity], active: true, isBad: true, isErased: false };
    return [{ externalId: row.externalId, content }];
  }
  if (row.kind !== 'person') return [];
  const { externalId, roles, names, active, grade, childExternalIds } = row;
  const [fullNameAr, email] = [fullName(names), accountEmail(row.email)];
  const isNamed = fullNameAr !== null || (!active && names.length === 0);
  const isBad = !isNamed || email === undefined;
  const content = { roles, fullNameAr, email: email ?? null, active, grade, childExternalIds, isBad, isErased: false };
  return [{ externalId, content }];
}

const withoutPersonalData = ({ externalId, content }: PersonToStage): PersonToStage => ({
  externalId,
  content: { ...content, ...noValues, isErased: true },
});

export interface EnrollmentToStage {
  readonly courseExternalId: string;
  readonly personExternalId: string;
  readonly role: RosterRole;
  readonly isOpen: boolean;
  readonly content: StagedEnrollment;
}

function enrollmentOf(row: StagedRow, today: string): EnrollmentToStage[] {
  if (row.kind === 'fault' && row.entity === 'enrollment') {
    const content = { from: null, to: null, active: false, primary: false, isBad: true };
    const { externalId: personExternalId, courseExternalId, role } = row;
    const named = { courseExternalId: courseExternalId ?? '', personExternalId, role: role ?? 'other' };
    return [{ ...named, isOpen: false, content }];
  }
  if (row.kind !== 'enrollment') return [];
  const { courseExternalId, personExternalId, role, primary, from, to, active } = row;
  const isOpen = active && (from === null || from <= today) && (to === null || today <= to);
  const content = { from, to, active, primary, isBad: false };
  return [{ courseExternalId, personExternalId, role, isOpen, content }];
}

async function insertPeople(trx: Trx, { organizationId, id }: LmsPreview, people: readonly PersonToStage[]) {
  const rows = people.map(({ externalId, content }) => ({
    externalId,
    content,
    email: content.email,
    entity: entityOf(content.roles),
  }));
  await trx.raw(
    `insert into lms_staged_person (organization_id, preview_id, external_id, entity, content, email)
     select ?, ?, r."externalId", r.entity, r.content, r.email
     from jsonb_to_recordset(?::jsonb) as r ("externalId" text, entity text, content jsonb, email text)
     on conflict do nothing`,
    [organizationId, id, JSON.stringify(rows)],
  );
}

async function insertEnrollments(trx: Trx, { organizationId, id }: LmsPreview, rows: readonly EnrollmentToStage[]) {
  await trx.raw(
    `insert into lms_staged_enrollment
       (organization_id, preview_id, course_external_id, person_external_id, role, content, is_open)
     select ?, ?, r."courseExternalId", r."personExternalId", r.role, r.content, r."isOpen"
     from jsonb_to_recordset(?::jsonb) as r
       ("courseExternalId" text, "personExternalId" text, role text, content jsonb, "isOpen" boolean)
     on conflict (organization_id, preview_id, person_external_id, course_external_id, role)
       do update set content = excluded.content, is_open = true where excluded.is_open`,
    [organizationId, id, JSON.stringify(rows)],
  );
}
