// Profiles, bundles and groups.

import { decodingKey } from '../../../support/interventions/cluster-keys.ts';
import { buildNarrative, parentBody } from '../../../support/interventions/narratives/rows.ts';
import type { Entries } from '../../requests/entry.ts';

export const interventionEntries: Entries = {
  getProfile: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  listProfileHistory: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  getBundleRecommendation: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  explainBundleRecommendation: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
  listBundles: { request: () => ({ query: { grade: 2, state: 'active' } }) },
  getBundle: { request: () => ({ params: { bundle_id: 'BND-DECODE-01' } }) },
  recomputeClusters: {
    slots: ['place'],
    request: ({ at }) => ({ params: { classId: at.place.classId }, body: {} }),
  },
  getCurrentClusters: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { classId: await at.place.fresh.groupedClass() } }),
  },
  /** The target's student was never measured. */
  bulkActivateCluster: {
    slots: ['place'],
    refusedFirst: ['PRINCIPAL', 'PRINCIPAL elsewhere', 'SUPER', 'ADMIN'],
    expect: { TEACHER: 422 },
    request: ({ at }) => ({
      body: {
        clusterKey: decodingKey,
        confirmedMemberStudentIds: [at.place.studentId],
        classId: at.place.classId,
      },
    }),
  },
  previewScaffoldDistribution: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.studentId } }) },
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
