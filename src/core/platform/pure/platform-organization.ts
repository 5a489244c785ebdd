// The platform itself is an organization, so that every row has one: backoffice accounts, alerts and entries of no particular
// organization have its id. In code and in responses their organization is null.

export const platformOrganizationId = 'platform';

/** Returns the organization as it is stored. */
export const storedOrganization = (organizationId: string | null): string => organizationId ?? platformOrganizationId;

/** Returns a row with null for the platform. */
export function withoutPlatform<Row>(row: Row): Row {
  if (typeof row !== 'object' || row === null || !('organizationId' in row)) return row;
  return row.organizationId === platformOrganizationId ? { ...row, organizationId: null } : row;
}
