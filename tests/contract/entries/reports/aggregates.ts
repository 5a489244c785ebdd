// Schools and organizations in counts.
import type { Entries } from '../../requests/entry.ts';

export const aggregateEntries: Entries = {
  getSchoolOverview: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.schoolId } }) },
  getSchoolHeatmap: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.schoolId } }) },
  getBundleEffect: {
    slots: ['place'],
    request: ({ at }) => ({ params: { bundle_id: 'BND-DECODE-01' }, query: { schoolId: at.place.schoolId } }),
    // The school stands in the query.
    expect: { 'PRINCIPAL elsewhere': 403 },
  },
  getOrganizationOverview: { slots: ['place'], request: ({ at }) => ({ params: { orgId: at.place.organizationId } }) },
  getOrganizationComparisons: {
    slots: ['place'],
    request: ({ at }) => ({
      params: { orgId: at.place.organizationId },
      query: { metric: 'support_share', tileCode: 'WORD_READING' },
    }),
  },
  getOrganizationTrends: {
    slots: ['place'],
    request: ({ at }) => ({
      params: { orgId: at.place.organizationId },
      query: { from: '2025-01-01', to: '2026-01-01', interval: 'season' },
    }),
  },
};
