// Oral reading and probes.
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { Entries } from '../../requests/entry.ts';

export const fluencyEntries: Entries = {
  startOrfAssessment: { slots: ['tenant'], request: ({ at }) => ({ body: { studentId: at.tenant.studentId } }) },
  markOrfAssessment: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.openReading() },
      body: { marks: [{ wordIndex: 0, mark: 'incorrect' }] },
    }),
  },
  stopOrfAssessment: {
    slots: ['tenant'],
    request: async ({ at }) => ({
      params: { id: await at.tenant.fresh.openReading() },
      body: { reason: 'time_up', elapsedSeconds: 60, lastWordIndex: 9 },
    }),
  },
  recordCbmProbe: {
    slots: ['tenant'],
    request: ({ at, app }) => ({
      body: {
        studentId: at.tenant.studentId,
        measureCode: 'ORF_WCPM',
        passageId: 'ORF-G1-01',
        administeredOn: localDate(app.clock.now(), 'Asia/Riyadh'),
        wordsAttempted: 10,
        errors: 2,
        elapsedSeconds: 60,
      },
    }),
  },
  getCbmTrend: {
    slots: ['tenant'],
    request: ({ at }) => ({ params: { studentId: at.tenant.studentId }, query: { measureCode: 'ORF_WCPM' } }),
  },
  listCbmAlerts: {
    slots: ['filter'],
    request: ({ at }) => ({ query: { classId: at.filter.classId, studentId: at.filter.studentId } }),
  },
};
