// Background evaluations: reactions to events, the daily job, and a sweep for lost requests. Runs request evaluations in their
// own transaction.

import {
  cbmAlertClosed,
  cbmAlertOpened,
  cbmTrendChanged,
  evidenceCorrected,
  orfScored,
} from '#assessment/measurement/index.ts';
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import { requestJobs } from '#core/module/request-queue.ts';
import { contextFlagChanged } from '#identity/context-flags/index.ts';
import { studentEnrollmentChanged } from '#identity/people/index.ts';
import { fidelityChanged } from '../../fidelity/index.ts';
import { evaluateOrganization } from './daily.ts';
import { type EvaluationKey, evaluationRequests, requestEvaluations } from './queue.ts';
import { serveRequests } from './serve.ts';

const triggers = [
  orfScored,
  cbmTrendChanged,
  evidenceCorrected,
  cbmAlertOpened,
  cbmAlertClosed,
  contextFlagChanged,
  fidelityChanged,
  studentEnrollmentChanged,
] as const;

const askedBy = ({
  organizationId,
  payload,
}: {
  organizationId: string;
  payload: { studentId: number };
}): EvaluationKey => ({
  organizationId,
  studentId: payload.studentId,
});

export const evaluationJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'rti-evaluation-request',
      locks: 'evaluationRequest',
      to: triggers,
      toJobs: (trx, events, now) => requestEvaluations(trx, events.map(askedBy), now),
    }),
  ],
  ...requestJobs(evaluationRequests, {
    concurrency: 2,
    priority: 'following',
    sweep: 'rti-evaluation-sweep',
    serve: serveRequests,
  }),
  daily: [
    {
      name: 'rti-evaluations-of-the-day',
      dailyAt: 3,
      of: 'organization',
      run: (services, _queues, { organizationId }) => evaluateOrganization(services, organizationId),
    },
  ],
};
