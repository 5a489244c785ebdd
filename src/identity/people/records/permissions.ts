// The permissions of each persona. Which rows a caller may access (reach) is decided by scopes, not here.

export const personas = ['ADMIN', 'MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT'] as const;
export type Persona = (typeof personas)[number];
export type UserScope = 'SUPER' | 'ORGANIZATION';

const commonPermissions = {
  SUPER: [
    'SUPER_ADMIN',
    'RUN_BACKOFFICE',
    'MANAGE_ORG',
    'MANAGE_ROSTER',
    'MANAGE_LMS_CONNECTIONS',
    'USE_DIAGNOSTIC_ENGINE',
    'VIEW_QA_REGISTRY',
    'VIEW_OWN_CLASSES',
    'VIEW_ORG_AGGREGATES',
    'VIEW_SCHOOL_AGGREGATES',
    'PUBLISH_RULES',
    'APPROVE_RULES',
  ],
  ADMIN: [
    'MANAGE_ORG',
    'MANAGE_ROSTER',
    'MANAGE_LMS_CONNECTIONS',
    'USE_DIAGNOSTIC_ENGINE',
    'VIEW_QA_REGISTRY',
    'VIEW_OWN_CLASSES',
    'VIEW_ORG_AGGREGATES',
    'VIEW_SCHOOL_AGGREGATES',
  ],
  MANAGER: ['VIEW_ORG_AGGREGATES', 'VIEW_SCHOOL_AGGREGATES'],
  PRINCIPAL: ['VIEW_OWN_CLASSES', 'VIEW_SCHOOL_AGGREGATES'],
  TEACHER: ['USE_DIAGNOSTIC_ENGINE', 'VIEW_OWN_CLASSES'],
  PARENT: ['VIEW_OWN_CHILDREN', 'VIEW_PARENT_REPORTS'],
  STUDENT: ['TAKE_DIAGNOSTIC'],
} as const;

export type Permission = (typeof commonPermissions)[keyof typeof commonPermissions][number];

export function permissionsOf(persona: Persona, scope: UserScope): readonly Permission[] {
  return scope === 'SUPER' ? commonPermissions.SUPER : commonPermissions[persona];
}

/** In production a session of a SUPER administrator has these permissions only after a second factor. */
export const needSecondFactor: ReadonlySet<Permission> = new Set(commonPermissions.SUPER);
