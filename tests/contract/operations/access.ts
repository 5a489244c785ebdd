// Derives the expected access independently from the permission matrix and the reach column of the table of operations.
// The served routes are compared with it.
import type { Operation, Permissions } from './table.ts';

export const personas = ['SUPER', 'ADMIN', 'MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT', 'nobody'] as const;
/** People of the same organization with another school, class or child. */
export const outsiders = ['PRINCIPAL elsewhere', 'TEACHER elsewhere', 'PARENT elsewhere', 'STUDENT elsewhere'] as const;
export const callers = [...personas, ...outsiders] as const;
export type PersonaCaller = (typeof personas)[number];
export type Caller = (typeof callers)[number];

const holders: Readonly<Record<string, readonly PersonaCaller[]>> = {
  SUPER_ADMIN: ['SUPER'],
  RUN_BACKOFFICE: ['SUPER'],
  MANAGE_ORG: ['SUPER', 'ADMIN'],
  MANAGE_ROSTER: ['SUPER', 'ADMIN'],
  MANAGE_LMS_CONNECTIONS: ['SUPER', 'ADMIN'],
  USE_DIAGNOSTIC_ENGINE: ['SUPER', 'ADMIN', 'TEACHER'],
  VIEW_QA_REGISTRY: ['SUPER', 'ADMIN'],
  VIEW_OWN_CLASSES: ['SUPER', 'ADMIN', 'PRINCIPAL', 'TEACHER'],
  VIEW_OWN_CHILDREN: ['PARENT'],
  VIEW_PARENT_REPORTS: ['PARENT'],
  VIEW_ORG_AGGREGATES: ['SUPER', 'ADMIN', 'MANAGER'],
  VIEW_SCHOOL_AGGREGATES: ['SUPER', 'ADMIN', 'MANAGER', 'PRINCIPAL'],
  PUBLISH_RULES: ['SUPER'],
  APPROVE_RULES: ['SUPER'],
  TAKE_DIAGNOSTIC: ['STUDENT'],
};

const anywhere: readonly Caller[] = callers;
const staffInReach: readonly Caller[] = ['SUPER', 'ADMIN', 'PRINCIPAL', 'TEACHER'];
const teachersAndAdmins: readonly Caller[] = ['SUPER', 'ADMIN', 'TEACHER'];

/**
 * The callers who, given the permission, are in each reach. A reach that is missing here needs an `expect` in the
 * route's entry.
 */
const insideReach: Readonly<Record<string, readonly Caller[]>> = {
  '–': anywhere,
  self: anywhere,
  P: anywhere,
  /** The rows of the tests were written by another person. */
  'P (not author)': anywhere,
  'P (not importer)': anywhere,
  'P (teacher, admin)': teachersAndAdmins.concat('TEACHER elsewhere'),
  'P (teacher, admin; PRINCIPAL 403)': teachersAndAdmins.concat('TEACHER elsewhere'),
  O: anywhere,
  /** A list of students in reach: other callers get an empty list. */
  'O (own reach)': anywhere,
  'own reach': anywhere,
  /** The caller of the tests brings the cookie of a session. */
  'own cookie': anywhere,
  recipient: anywhere,
  /** The caller of the tests is the recipient. */
  'recipient (other 404)': anywhere,
  /** A recipient of the lesson. Other callers get 404. */
  'included recipient': anywhere,
  SC: ['SUPER', 'ADMIN', 'MANAGER', 'PRINCIPAL'],
  'SC, or a school of an own class': ['SUPER', 'ADMIN', 'MANAGER', 'PRINCIPAL', 'TEACHER'],
  C: staffInReach.concat('MANAGER'),
  'C (ClassTeacher, admin)': teachersAndAdmins,
  'C (teacher, admin)': teachersAndAdmins,
  'C (teacher, admin; PRINCIPAL 403)': teachersAndAdmins,
  S: staffInReach,
  'S (ClassTeacher, admin)': teachersAndAdmins,
  'S (ClassTeacher, admin; Tier 3: seat)': teachersAndAdmins,
  'S (teacher, admin)': teachersAndAdmins,
  /** The teacher of the tests has voided it. */
  'S (who voided it, admin)': teachersAndAdmins,
  'S (teacher, admin; PRINCIPAL 403)': teachersAndAdmins,
  'S; self': staffInReach.concat('STUDENT'),
  'S; linked child; self': staffInReach.concat('PARENT', 'STUDENT'),
  'linked child': ['SUPER', 'PARENT'],
  T: ['TEACHER'],
  'T or joined': ['TEACHER', 'STUDENT'],
  joined: ['STUDENT'],
  'own class': ['STUDENT'],
};

export const personaOf = (caller: Caller): PersonaCaller => caller.split(' ', 1)[0] as PersonaCaller;

/** 401 without a token, 403 without the permission. Undefined: the permission suffices. */
export function refusedByPermission({ permissions }: Operation, caller: Caller): 401 | 403 | undefined {
  if (permissions === 'public') return undefined;
  if (caller === 'nobody') return 401;
  return holds(permissions, personaOf(caller)) ? undefined : 403;
}

function holds(permissions: Permissions, persona: PersonaCaller): boolean {
  if (typeof permissions === 'string') return true;
  const held = (permission: string) => holders[permission]?.includes(persona) ?? false;
  return 'allOf' in permissions ? permissions.allOf.every(held) : permissions.some(held);
}

/**
 * False for callers who have the permission and are never in the reach. A reach without a rule here excludes no one.
 */
export const isInside = ({ reach }: Operation, caller: Caller): boolean => insideReach[reach]?.includes(caller) ?? true;

/** Returns the status of a caller for rows of the own organization. */
export function expectedStatus(operation: Operation, caller: Caller): number {
  const inside = insideReach[operation.reach];
  if (!inside)
    throw new Error(`reach "${operation.reach}" has no rule here; declare what ${operation.operationId} expects`);
  return refusedByPermission(operation, caller) ?? (inside.includes(caller) ? (operation.success[0] ?? 0) : 403);
}
