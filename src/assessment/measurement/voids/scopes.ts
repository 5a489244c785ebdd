// Scopes of voids: evidence in the caller's reach, as what may be voided, and the voids themselves.
import type { Scoped, ScopeRequest } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { findStudentInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { DiagnosticSession } from '../diagnostics/store.ts';
import type { EvidenceKind } from '../evidence/engine/corrections.ts';
import { CbmProbe, OrfAssessment } from '../fluency/store.ts';
import { PracticeQueue } from '../practice/store.ts';
import { EvidenceVoid } from './store.ts';

/** Evidence that may be voided, as one void names it. */
export interface VoidableEvidence {
  readonly kind: EvidenceKind;
  readonly refId: string;
  readonly organizationId: string;
  /** The account with which it was taken. */
  readonly studentId: number;
  /** ISO 8601, of a probe its entry; null while it is no evidence. */
  readonly endedAt: string | null;
}

type Found = Omit<VoidableEvidence, 'kind'>;

const inReach = (
  kind: EvidenceKind,
  find: (trx: Trx, id: string) => Promise<(Found & { readonly kind?: EvidenceKind }) | undefined>,
): AppScope<VoidableEvidence> => ({
  reach: 'S',
  resolve: async ({ trx, actor, params }) => {
    const evidence = await find(trx, params.id ?? '');
    if (!evidence) throw notFound();
    return withOrganization({ trx, actor }, { kind, ...evidence });
  },
});

async function withOrganization<Row extends { readonly organizationId: string; readonly studentId: number }>(
  caller: Pick<ScopeRequest<Services>, 'trx' | 'actor'>,
  row: Row,
): Promise<Scoped<Row>> {
  // Evidence of a merged account is reached through the student who has it now, and may be voided.
  const { organization } = await findStudentInReach(caller, row.studentId, teachersAndAdmins);
  return { row, ...(organization && { organization }) };
}

export const readingToVoid = inReach('orf', async (trx, id) => {
  const row = await OrfAssessment.query(trx).findOne({ id });
  if (!row) return undefined;
  const { organizationId, studentId, status, stoppedAt } = row;
  return { refId: id, organizationId, studentId, endedAt: status === 'SCORED' ? stoppedAt : null };
});

/** A probe of a reading is one void with the reading. */
export const probeToVoid = inReach('cbm', async (trx, id) => {
  const row = Number.isSafeInteger(Number(id)) ? await CbmProbe.query(trx).findOne({ id: Number(id) }) : undefined;
  if (!row) return undefined;
  const { organizationId, studentId, recordedAt: endedAt, orfAssessmentId } = row;
  return orfAssessmentId === null
    ? { refId: id, organizationId, studentId, endedAt }
    : { kind: 'orf', refId: orfAssessmentId, organizationId, studentId, endedAt };
});

export const sessionToVoid = inReach('diagnostic', async (trx, id) => {
  const row = await DiagnosticSession.query(trx).findOne({ id });
  if (!row) return undefined;
  const { organizationId, studentId, status, finishedAt } = row;
  return { refId: id, organizationId, studentId, endedAt: status === 'FINISHED' ? finishedAt : null };
});

export const queueToVoid = inReach('practice', async (trx, id) => {
  const row = await PracticeQueue.query(trx).findOne({ id });
  return row && { refId: id, organizationId: row.organizationId, studentId: row.studentId, endedAt: row.endedAt };
});

/** A void that the caller may restore: teachers their own, administrators all. */
export const voidToRestore: AppScope<EvidenceVoid> = {
  reach: 'S',
  resolve: async ({ trx, actor, params }) => {
    const id = Number(params.voidId);
    const row = Number.isSafeInteger(id) ? await EvidenceVoid.query(trx).findOne({ id }) : undefined;
    if (!row) throw notFound();
    const scoped = await withOrganization({ trx, actor }, row);
    if (actor.persona !== 'ADMIN' && row.byUserId !== actor.userId) throw denied('Another teacher has voided this.');
    return scoped;
  },
};
