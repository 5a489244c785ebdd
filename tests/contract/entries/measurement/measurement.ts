// The student's diagnostic, and the engine's own operations.
import type { Entries, Entry } from '../../requests/entry.ts';

/** Own sessions only: another student's is out of reach. */
const ownSession = { slots: ['place'], expect: { 'STUDENT elsewhere': 403 } } as const satisfies Entry;

export const measurementEntries: Entries = {
  startDiagnostic: { request: () => ({ body: {} }) },
  getDiagnostic: {
    ...ownSession,
    request: async ({ at }) => ({ params: { id: await at.place.fresh.openDiagnostic() } }),
  },
  serveDiagnosticItem: {
    ...ownSession,
    request: async ({ at }) => ({ params: { id: await at.place.fresh.openDiagnostic() }, body: {} }),
  },
  submitDiagnosticResponse: {
    ...ownSession,
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.openDiagnostic() },
      body: { servedItemId: await at.place.fresh.servedItem(), selectedOptionIndex: 0, latencyMs: 0 },
    }),
  },
  recordDiagnosticEvents: {
    ...ownSession,
    request: async ({ at, app }) => ({
      params: { id: await at.place.fresh.openDiagnostic() },
      body: { events: [{ type: 'resume', at: app.clock.now().toISOString() }] },
    }),
  },
  finishDiagnostic: {
    ...ownSession,
    request: async ({ at }) => ({ params: { id: await at.place.fresh.openDiagnostic() }, body: {} }),
  },
  scoreResponses: { request: () => ({ body: { subSkillCode: 'LK_SOUND', gradeBand: 'G12', responses: [] } }) },
  replayDiagnostic: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { sessionId: await at.place.fresh.finishedDiagnostic() }, body: {} }),
  },
  listEngineSessions: { slots: ['place'], request: ({ at }) => ({ params: { studentId: at.place.studentId } }) },
  getEngineSession: {
    slots: ['place'],
    request: async ({ at }) => ({ params: { id: await at.place.fresh.finishedDiagnostic() } }),
  },
};
