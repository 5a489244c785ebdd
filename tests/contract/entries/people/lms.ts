// Connections to learning platforms, their courses and imports.
import { jsonFiles, smallSet } from '../../../integrations/lms/sets.ts';
import type { Entries } from '../../requests/entry.ts';

export const lmsEntries: Entries = {
  listLmsConnections: {},
  deleteLmsConnection: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.lmsConnection() } }),
  },
  submitLmsToken: {
    slots: ['tenant'],
    request: ({ at }) => ({
      params: { provider: 'oneroster' },
      body: { type: 'csv', organizationId: at.tenant.organizationId, files: jsonFiles(smallSet()) },
    }),
  },
  testLmsConnection: {
    slots: ['tenant'],
    request: ({ at }) => ({
      body: { type: 'csv', organizationId: at.tenant.organizationId, files: jsonFiles(smallSet()) },
    }),
  },
  // The test service has no Google client.
  startLmsOauth: {
    slots: ['tenant'],
    request: ({ at }) => ({
      params: { provider: 'google_classroom' },
      body: { organizationId: at.tenant.organizationId },
    }),
    expect: { SUPER: 503, ADMIN: 503 },
  },
  finishLmsOauth: {
    request: () => ({ params: { provider: 'google_classroom' }, query: { state: 'unknown', code: 'unknown' } }),
    expect: 401,
  },
  syncLmsNow: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: (await at.tenant.fresh.lmsPreview()).connectionId } }),
  },
  listLmsCourses: {
    slots: ['tenant'],
    request: async ({ at }) => {
      await at.tenant.fresh.lmsConnection();
      return { params: { provider: 'oneroster' }, query: { organizationId: at.tenant.organizationId } };
    },
  },
  saveLmsMappings: {
    slots: ['tenant', 'content'],
    request: async ({ at }) => {
      await at.tenant.fresh.lmsConnection();
      const mappings = [{ courseExternalId: 'class-1', classId: at.content.classId }];
      return { params: { provider: 'oneroster' }, body: { organizationId: at.tenant.organizationId, mappings } };
    },
  },
  createLmsPreview: {
    slots: ['tenant'],
    request: async ({ at }) => ({ body: { connectionId: (await at.tenant.fresh.lmsPreview()).connectionId } }),
  },
  getLmsPreview: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { previewId: (await at.tenant.fresh.lmsPreview()).id } }),
  },
  resolveLmsPreviewRow: {
    slots: ['tenant'],
    request: async ({ at }) => {
      const { id: previewId, rowId } = await at.tenant.fresh.lmsPreview();
      return { params: { previewId, rowId }, body: { resolution: 'skip_row' } };
    },
  },
  resolveLmsPreviewRows: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { previewId: (await at.tenant.fresh.lmsPreview()).id },
      body: { reasonCode: 'new_person', resolution: 'skip_row' },
    }),
  },
  commitLmsPreview: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { previewId: (await at.tenant.fresh.lmsPreview()).id } }),
  },
  listLmsSyncRuns: {},
  revertLmsSyncRun: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.lmsRun() }, body: {} }),
  },
};
