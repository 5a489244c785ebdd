// The platform itself is an organization, so that no row is without one: backoffice accounts, alerts and entries about no
// organization in particular carry its id. In code, and towards clients, they have none: null.

export const platformOrganizationId = 'platform';

/** As it is stored. */
export const storedOrganization = (organizationId: string | null): string => organizationId ?? platformOrganizationId;

/** A row as it is read. */
export function withoutPlatform<Row>(row: Row): Row {
  if (typeof row !== 'object' || row === null || !('organizationId' in row)) return row;
  return row.organizationId === platformOrganizationId ? { ...row, organizationId: null } : row;
}
