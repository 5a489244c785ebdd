// Aggregates of schools and organizations.
import type { Entries } from '../../requests/entry.ts';

export const aggregateEntries: Entries = {
  getSchoolOverview: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.schoolId } }) },
  getSchoolHeatmap: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.schoolId } }) },
  getBundleEffect: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { bundle_id: 'BND-DECODE-01' }, query: { schoolId: at.tenant.schoolId } }),
    // The school is in the query.
    expect: { 'PRINCIPAL elsewhere': 403 },
  },
  getOrganizationOverview: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { orgId: at.tenant.organizationId } }),
  },
  getOrganizationComparisons: {
    slots: ['tenant'],
    request: ({ at }) => ({
      params: { orgId: at.tenant.organizationId },
      query: { metric: 'support_share', tileCode: 'WORD_READING' },
    }),
  },
  getOrganizationTrends: {
    slots: ['tenant'],
    request: ({ at }) => ({
      params: { orgId: at.tenant.organizationId },
      query: { from: '2025-01-01', to: '2026-01-01', interval: 'season' },
    }),
  },
};
