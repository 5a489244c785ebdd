// Finishes a session: stores the session, its estimates, the behaviour log and the event that triggers a recompute in
// one transaction.

import { raw } from 'objection';
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { currentGrade, findStudent } from '#identity/people/index.ts';
import { windowAt } from '#rules/catalogue/index.ts';
import { diagnosticFinished } from '../events.ts';
import { answerLists } from '../evidence/answer-lists.ts';
import { formsFor } from '../rules.ts';
import type { RequestServices } from '../services.ts';
import { estimatesOf, type FinishReason, finishReasonOf } from './engine/finish.ts';
import { answeredCount } from './engine/state.ts';
import { toServedSession } from './served-session.ts';
import { expired, lock, type OpenSession, statusAt } from './session.ts';
import { nextForm } from './start.ts';
import { DiagnosticEstimate, DiagnosticSession, stateOf } from './store.ts';

export interface FinishedDiagnostic {
  readonly sessionId: string;
  readonly status: 'FINISHED';
  readonly finishReason: FinishReason;
  readonly answered: number;
  readonly nextFormCode: string | null;
}

/**
 * Finishes the session; a repeated call returns the stored result. Throws CONFLICT `no_responses` before the first
 * answer, `expired` after 24 hours.
 */
export async function finishDiagnostic(
  services: RequestServices,
  trx: Trx,
  sessionId: string,
  now: Date,
): Promise<FinishedDiagnostic> {
  const found = await lock(services, trx, sessionId, now);
  if (statusAt(found.session, now) === 'EXPIRED') throw expired();
  if (found.session.status === 'FINISHED') return describe(found.session, found);
  if (found.responses.length === 0) throw conflict('no_responses', 'Nothing has been answered yet.');
  return describe(await close(services, trx, found, now), found);
}

/** The session's columns in the statement that finishes it. */
const updatedSession = { organizationId: 'diagnostic_session.organization_id', id: 'diagnostic_session.id' };

async function close(services: RequestServices, trx: Trx, open: OpenSession, now: Date): Promise<DiagnosticSession> {
  const { id: sessionId, organizationId, studentId, schoolYear } = open.session;
  await DiagnosticSession.query(trx)
    .findById(sessionId)
    .patch({
      status: 'FINISHED',
      finishReason: finishReasonOf(stateOf(open), open.rules),
      finishedAt: now.toISOString(),
      answers: raw(answerLists(updatedSession)),
    });
  const nextFormCode = await formAfter(trx, open, now);
  const session = await DiagnosticSession.query(trx).patchAndFetchById(sessionId, { nextFormCode });
  await insertEstimates(trx, open);
  const worked = toServedSession({ ...open, session }, open.rules.bank, now);
  await services.logBehaviour(trx, { organizationId, studentId, schoolYear, session: worked }, now);
  await appendEvents(trx, now, [newEvent(diagnosticFinished, organizationId, { studentId, sessionId })]);
  return session;
}

/** Returns the next form of the season after this session. */
async function formAfter(trx: Trx, { session, rules }: OpenSession, now: Date): Promise<string | null> {
  const { row: student } = await findStudent(trx, session.studentId);
  const window = windowAt(student, rules, now);
  const grade = currentGrade(student, window.schoolYear);
  const next = await nextForm(trx, student, grade === null ? [] : formsFor(grade, rules), window);
  return next?.formCode ?? null;
}

async function insertEstimates(trx: Trx, open: OpenSession): Promise<void> {
  const { organizationId, schoolYear, id: sessionId, pinned } = open.session;
  const estimates = estimatesOf(stateOf(open), open.rules.bank, open.rules.values);
  await DiagnosticEstimate.query(trx).insert(
    estimates.map((estimate) => ({
      ...estimate,
      organizationId,
      schoolYear,
      sessionId,
      ruleVersion: pinned.formsVersion,
    })),
  );
}

const describe = (session: DiagnosticSession, { responses }: OpenSession): FinishedDiagnostic => ({
  sessionId: session.id,
  status: 'FINISHED',
  finishReason: session.finishReason ?? 'completed',
  answered: answeredCount(responses),
  nextFormCode: session.nextFormCode,
});
