// Practice, and the error-pattern alerts.
import { newId } from '#core/platform/ids.ts';
import type { Entries } from '../../requests/entry.ts';

export const practiceEntries: Entries = {
  seedPracticeQueue: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { diagnosticSessionId: await at.tenant.fresh.finishedDiagnostic() },
      body: {},
    }),
    expect: {
      nobody: 401,
      // The students of a class are in reach of its teachers and of administrators.
      SUPER: 201,
      ADMIN: 201,
      TEACHER: 201,
      'TEACHER elsewhere': 403,
      MANAGER: 403,
      PRINCIPAL: 403,
      'PRINCIPAL elsewhere': 403,
      PARENT: 403,
      'PARENT elsewhere': 403,
      // The diagnostic belongs to another student.
      STUDENT: 403,
      'STUDENT elsewhere': 403,
    },
  },
  getPracticeQueue: {},
  servePracticeItem: { request: () => ({ body: {} }) },
  // The item was never served.
  submitPracticeResponse: {
    request: () => ({ body: { servedItemId: newId(), selectedOptionIndex: 0, latencyMs: 0 } }),
    expect: { STUDENT: 422, 'STUDENT elsewhere': 422 },
  },
  listClassPlatformAlerts: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.classId } }) },
};
