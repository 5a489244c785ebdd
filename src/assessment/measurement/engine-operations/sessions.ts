// Sessions for teachers and administrators, and the replay of their estimates.
import { defaultLimit, keyInCursor, pageOf } from '#core/http/pages.ts';
import type { ScopeRequest } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import { findStudentInReach, type StudentInScope, teachersAndAdmins } from '#identity/people/index.ts';
import { estimatesOf, type SubSkillEstimate } from '../diagnostics/engine/finish.ts';
import { rulesOf, statusAt } from '../diagnostics/session.ts';
import {
  DiagnosticEstimate,
  DiagnosticSession,
  loadRecord,
  type SessionRecord,
  stateOf,
} from '../diagnostics/store.ts';
import { loadCorrections } from '../evidence/corrections/load.ts';
import { present } from '../evidence/engine/corrections.ts';
import type { RequestServices } from '../services.ts';

/** Scope: a diagnostic session of a student in reach. */
export const sessionInReach = (param: string): AppScope<DiagnosticSession> => ({
  reach: 'S',
  resolve: async ({ trx, actor, params }: ScopeRequest<Services>) => {
    const row = await DiagnosticSession.query(trx).findById(params[param] ?? '');
    if (!row) throw notFound();
    const { organization } = await findStudentInReach({ trx, actor }, row.studentId, teachersAndAdmins);
    return { row, ...(organization && { organization }) };
  },
});

export async function engineSession(trx: Trx, session: DiagnosticSession, now: Date) {
  const record = await loadRecord(trx, session);
  const { voidAt } = await loadCorrections(trx, session.organizationId, [session.studentId]);
  return {
    sessionId: session.id,
    studentId: session.studentId,
    status: statusAt(session, now),
    formCode: session.formCode,
    startedAt: session.startedAt,
    finishedAt: session.finishedAt,
    voidId: voidAt('diagnostic', session.id, present),
    pinnedVersions: session.pinned,
    estimates: await storedEstimates(trx, session),
    responses: presentResponses(record),
  };
}

function presentResponses({ served, responses }: SessionRecord) {
  const bySeq = new Map(served.map((item) => [item.seq, item]));
  return responses.flatMap(({ seq, selectedOptionIndex, skipped, correct, latencyMs }) => {
    const item = bySeq.get(seq);
    if (!item) return [];
    const { itemId, subSkillCode, selectionTier, difficultyLogit: difficulty } = item;
    return [{ seq, itemId, subSkillCode, selectedOptionIndex, skipped, correct, latencyMs, selectionTier, difficulty }];
  });
}

/** Returns the stored estimates in form order. */
async function storedEstimates(trx: Trx, session: DiagnosticSession): Promise<SubSkillEstimate[]> {
  const rows = await DiagnosticEstimate.query(trx).where({ sessionId: session.id });
  const positionOf = (code: string) => session.subSkills.indexOf(code);
  return rows
    .sort((a, b) => positionOf(a.subSkillCode) - positionOf(b.subSkillCode))
    .map(({ subSkillCode, theta, se, n, calibrationProvisional, stopReason }) => ({
      subSkillCode,
      theta,
      se,
      n,
      calibrationProvisional,
      stopReason,
    }));
}

/** Replays the estimates of a session from its rows and pinned versions. Throws CONFLICT `not_finished`. */
export async function replaySession(services: RequestServices, trx: Trx, session: DiagnosticSession) {
  if (session.status !== 'FINISHED') throw conflict('not_finished', 'Only a finished session can be replayed.');
  const { bank, values } = await rulesOf(services, trx, session);
  const stored = await storedEstimates(trx, session);
  const replayed = estimatesOf(stateOf(await loadRecord(trx, session)), bank, values);
  const mismatches = compare(stored, replayed);
  return {
    sessionId: session.id,
    pinnedVersions: session.pinned,
    stored,
    replayed,
    mismatches,
    match: mismatches.length === 0,
    rowsWritten: 0 as const,
  };
}

const fields = ['theta', 'se', 'n', 'calibrationProvisional', 'stopReason'] as const;

function compare(stored: readonly SubSkillEstimate[], replayed: readonly SubSkillEstimate[]) {
  const codes = new Set([...stored, ...replayed].map(({ subSkillCode }) => subSkillCode));
  return [...codes].flatMap((subSkillCode) => {
    const before = stored.find((one) => one.subSkillCode === subSkillCode);
    const again = replayed.find((one) => one.subSkillCode === subSkillCode);
    return fields
      .map((field) => ({ subSkillCode, field, stored: before?.[field] ?? null, replayed: again?.[field] ?? null }))
      .filter((pair) => pair.stored !== pair.replayed);
  });
}

/** Lists sessions, those of merged accounts too, newest first. */
export async function listSessions(
  trx: Trx,
  { organizationId, id: studentId }: StudentInScope,
  input: { limit?: number; cursor?: string },
  now: Date,
) {
  const { limit = defaultLimit, cursor } = input;
  const { accountsAt, voidAt } = await loadCorrections(trx, organizationId, [studentId]);
  const query = DiagnosticSession.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...accountsAt(studentId, present)])
    .orderBy([
      { column: 'startedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1)
    .select('diagnosticSession.*', answeredColumn(trx));
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(started_at, id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  const rows = (await query) as (DiagnosticSession & { answered: number })[];
  return pageOf(
    rows,
    limit,
    ({ startedAt, id }) => [startedAt, id],
    (row) => ({
      sessionId: row.id,
      status: statusAt(row, now),
      formCode: row.formCode,
      startedAt: row.startedAt,
      finishedAt: row.finishedAt,
      voidId: voidAt('diagnostic', row.id, present),
      answered: row.answered,
    }),
  );
}

const answeredColumn = (trx: Trx) =>
  trx('diagnosticResponse as r')
    .whereRaw('r.session_id = diagnostic_session.id and not r.skipped')
    .select(trx.raw('count(*)::integer'))
    .as('answered');
