// Practice, and the alerts that it may lead to.
import { newId } from '#core/platform/ids.ts';
import type { Entries } from '../../requests/entry.ts';

export const practiceEntries: Entries = {
  seedPracticeQueue: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { diagnosticSessionId: await at.place.fresh.finishedDiagnostic() },
      body: {},
    }),
    expect: {
      nobody: 401,
      // A class's students are reached by its teachers and by administrators.
      SUPER: 201,
      ADMIN: 201,
      TEACHER: 201,
      'TEACHER elsewhere': 403,
      MANAGER: 403,
      PRINCIPAL: 403,
      'PRINCIPAL elsewhere': 403,
      PARENT: 403,
      'PARENT elsewhere': 403,
      // The diagnostic is another student's.
      STUDENT: 403,
      'STUDENT elsewhere': 403,
    },
  },
  getPracticeQueue: {},
  servePracticeItem: { request: () => ({ body: {} }) },
  // An item that was served to nobody.
  submitPracticeResponse: {
    request: () => ({ body: { servedItemId: newId(), selectedOptionIndex: 0, latencyMs: 0 } }),
    expect: { STUDENT: 422, 'STUDENT elsewhere': 422 },
  },
  listClassPlatformAlerts: { slots: ['place'], request: ({ at }) => ({ params: { id: at.place.classId } }) },
};
