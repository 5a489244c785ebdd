// Connections to learning platforms, their courses and what is imported from them.
import { jsonFiles, smallSet } from '../../../integrations/lms/sets.ts';
import type { Entries } from '../../requests/entry.ts';

export const lmsEntries: Entries = {
  listLmsConnections: {},
  deleteLmsConnection: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.lmsConnection() } }),
  },
  submitLmsToken: {
    slots: ['place'],
    request: ({ at }) => ({
      params: { provider: 'oneroster' },
      body: { type: 'csv', organizationId: at.place.organizationId, files: jsonFiles(smallSet()) },
    }),
  },
  testLmsConnection: {
    slots: ['place'],
    request: ({ at }) => ({
      body: { type: 'csv', organizationId: at.place.organizationId, files: jsonFiles(smallSet()) },
    }),
  },
  // The walk's service has no Google client.
  startLmsOauth: {
    slots: ['place'],
    request: ({ at }) => ({
      params: { provider: 'google_classroom' },
      body: { organizationId: at.place.organizationId },
    }),
    expect: { SUPER: 503, ADMIN: 503 },
  },
  finishLmsOauth: {
    request: () => ({ params: { provider: 'google_classroom' }, query: { state: 'unknown', code: 'unknown' } }),
    expect: 401,
  },
  syncLmsNow: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: (await at.place.fresh.lmsPreview()).connectionId } }),
  },
  listLmsCourses: {
    slots: ['place'],
    request: async ({ at }) => {
      await at.place.fresh.lmsConnection();
      return { params: { provider: 'oneroster' }, query: { organizationId: at.place.organizationId } };
    },
  },
  saveLmsMappings: {
    slots: ['place', 'content'],
    request: async ({ at }) => {
      await at.place.fresh.lmsConnection();
      const mappings = [{ courseExternalId: 'class-1', classId: at.content.classId }];
      return { params: { provider: 'oneroster' }, body: { organizationId: at.place.organizationId, mappings } };
    },
  },
  createLmsPreview: {
    slots: ['place'],
    request: async ({ at }) => ({ body: { connectionId: (await at.place.fresh.lmsPreview()).connectionId } }),
  },
  getLmsPreview: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { previewId: (await at.place.fresh.lmsPreview()).id } }),
  },
  resolveLmsPreviewRow: {
    slots: ['place'],
    request: async ({ at }) => {
      const { id: previewId, rowId } = await at.place.fresh.lmsPreview();
      return { params: { previewId, rowId }, body: { resolution: 'skip_row' } };
    },
  },
  resolveLmsPreviewRows: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { previewId: (await at.place.fresh.lmsPreview()).id },
      body: { reasonCode: 'new_person', resolution: 'skip_row' },
    }),
  },
  commitLmsPreview: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { previewId: (await at.place.fresh.lmsPreview()).id } }),
  },
  listLmsSyncRuns: {},
  revertLmsSyncRun: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.lmsRun() }, body: {} }),
  },
};
