// Diagnostics of a student, and the operations of the engine.
import type { Entries, Entry } from '../../requests/entry.ts';

/** Own sessions only: a session of another student is out of reach. */
const ownSession = { slots: ['tenant'], expect: { 'STUDENT elsewhere': 403 } } as const satisfies Entry;

export const measurementEntries: Entries = {
  startDiagnostic: { request: () => ({ body: {} }) },
  getDiagnostic: {
    ...ownSession,
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.openDiagnostic() } }),
  },
  serveDiagnosticItem: {
    ...ownSession,
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.openDiagnostic() }, body: {} }),
  },
  submitDiagnosticResponse: {
    ...ownSession,
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.openDiagnostic() },
      body: { servedItemId: await at.tenant.fresh.servedItem(), selectedOptionIndex: 0, latencyMs: 0 },
    }),
  },
  recordDiagnosticEvents: {
    ...ownSession,
    request: async ({ at, app }) => ({
      params: { id: await at.tenant.fresh.openDiagnostic() },
      body: { events: [{ type: 'resume', at: app.clock.now().toISOString() }] },
    }),
  },
  finishDiagnostic: {
    ...ownSession,
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.openDiagnostic() }, body: {} }),
  },
  scoreResponses: { request: () => ({ body: { subSkillCode: 'LK_SOUND', gradeBand: 'G12', responses: [] } }) },
  replayDiagnostic: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { sessionId: await at.tenant.fresh.finishedDiagnostic() }, body: {} }),
  },
  listEngineSessions: { slots: ['tenant'], request: ({ at }) => ({ params: { studentId: at.tenant.studentId } }) },
  getEngineSession: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { id: await at.tenant.fresh.finishedDiagnostic() } }),
  },
};
