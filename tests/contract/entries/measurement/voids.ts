// Voids of evidence.
import type { Entries, Entry } from '../../requests/entry.ts';
import type { FreshRows } from '../../requests/targets.ts';

const voiding = (evidence: (fresh: FreshRows) => Promise<string | number>): Entry => ({
  slots: ['tenant'],
  request: async ({ at }) => ({
    params: { id: await evidence(at.tenant.fresh) },
    body: { reasonCode: 'wrong_student' },
  }),
});

export const voidEntries: Entries = {
  voidOrfAssessment: voiding((fresh) => fresh.scoredReading()),
  voidCbmProbe: voiding((fresh) => fresh.paperProbe()),
  voidDiagnosticSession: voiding((fresh) => fresh.finishedDiagnostic()),
  voidPracticeQueue: voiding((fresh) => fresh.endedQueue()),
  restoreEvidence: {
    slots: ['tenant'],
    request: async ({ at }) => ({ params: { voidId: await at.tenant.fresh.standingVoid() }, body: {} }),
  },
  listEvidenceVoids: { slots: ['tenant'], request: ({ at }) => ({ params: { id: at.tenant.studentId } }) },
};
