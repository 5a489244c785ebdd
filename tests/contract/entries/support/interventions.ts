// Profiles, bundles and groups.

import { decodingKey } from '../../../support/interventions/cluster-keys.ts';
import { buildNarrative, parentBody } from '../../../support/interventions/narratives/rows.ts';
import type { Entries } from '../../requests/entry.ts';

export const interventionEntries: Entries = {
  getProfile: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  listProfileHistory: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  getBundleRecommendation: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  explainBundleRecommendation: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  listBundles: { request: () => ({ query: { grade: 2, state: 'active' } }) },
  getBundle: { request: () => ({ params: { bundle_id: 'BND-DECODE-01' } }) },
  recomputeClusters: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { classId: at.tenant.classId }, body: {} }),
  },
  getCurrentClusters: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { classId: await at.tenant.fresh.groupedClass() } }),
  },
  /** The target's student was never measured. */
  bulkActivateCluster: {
    slots: ['tenant'],
    refusedFirst: ['PRINCIPAL', 'PRINCIPAL elsewhere', 'SUPER', 'ADMIN'],
    expect: { TEACHER: 422 },
    request: ({ at }) => ({
      body: {
        clusterKey: decodingKey,
        confirmedMemberStudentIds: [at.tenant.studentId],
        classId: at.tenant.classId,
      },
    }),
  },
  previewScaffoldDistribution: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
  listPendingNarratives: {},
  createNarrative: { request: () => ({ body: parentBody() }) },
  approveNarrative: {
    request: async ({ app }) => ({ params: { id: await buildNarrative(app.database.owner) }, body: {} }),
  },
  rejectNarrative: {
    request: async ({ app }) => ({
      params: { id: await buildNarrative(app.database.owner) },
      body: { reasonCode: 'Tone_Not_Suitable' },
    }),
  },
};
