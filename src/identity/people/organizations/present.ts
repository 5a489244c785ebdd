// Organizations and schools as responses.
import type { Organization, School } from '../records/organizations.ts';

export const presentOrganization = (row: Organization) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  country: row.country,
  defaultLocale: row.defaultLocale,
  isDemo: row.isDemo,
  allowedGoogleDomains: row.allowedGoogleDomains,
  timeZone: row.timeZone,
  weekend: row.weekend,
  holidays: row.holidays,
  minClusterSize: row.minClusterSize,
  createdAt: row.createdAt,
});

export const presentSchool = (row: School) => ({
  id: row.id,
  organizationId: row.organizationId,
  name: row.name,
  country: row.country,
  minClusterSize: row.minClusterSize,
  timeZone: row.timeZone,
});
