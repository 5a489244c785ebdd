// Oral reading and repeated probes.
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { Entries } from '../../requests/entry.ts';

export const fluencyEntries: Entries = {
  startOrfAssessment: { slots: ['place'], request: ({ at }) => ({ body: { studentId: at.place.studentId } }) },
  markOrfAssessment: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.openReading() },
      body: { marks: [{ wordIndex: 0, mark: 'incorrect' }] },
    }),
  },
  stopOrfAssessment: {
    slots: ['place'],
    request: async ({ at }) => ({
      params: { id: await at.place.fresh.openReading() },
      body: { reason: 'time_up', elapsedSeconds: 60, lastWordIndex: 9 },
    }),
  },
  recordCbmProbe: {
    slots: ['place'],
    request: ({ at, app }) => ({
      body: {
        studentId: at.place.studentId,
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
    slots: ['place'],
    request: ({ at }) => ({ params: { studentId: at.place.studentId }, query: { measureCode: 'ORF_WCPM' } }),
  },
  listCbmAlerts: {
    slots: ['filter'],
    request: ({ at }) => ({ query: { classId: at.filter.classId, studentId: at.filter.studentId } }),
  },
};
