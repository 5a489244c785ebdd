// Shared helpers of the tests of context flags: requests, and the events in the outbox.
import { inContext } from '#core/platform/db.ts';
import type { Reply } from '../../harness/fetch.ts';
import type { TestApp } from '../../harness/http.ts';

export interface FlagBody {
  readonly flagId: number;
  readonly studentId: number;
  readonly flagCode: string;
  readonly effect: string;
  readonly effectiveFrom: string;
  readonly effectiveTo: string | null;
  readonly active: boolean;
  readonly setBy: number;
  readonly setAt: string;
  /** Only in an error response. */
  readonly code?: string;
  readonly details?: readonly { readonly field: string; readonly issue: string }[];
}

export interface FlagPage {
  readonly items: readonly FlagBody[];
  readonly nextCursor: string | null;
}

interface Author {
  readonly token: string;
}

type Headers = Readonly<Record<string, string>>;

export const note = (app: TestApp, { token }: Author, studentId: number, body: unknown, headers: Headers = {}) =>
  app.post<FlagBody>(`/api/students/${studentId}/context-flag`, body, { token, headers });

export const listed = (app: TestApp, { token }: Author, studentId: number, query = ''): Promise<Reply<FlagPage>> =>
  app.get<FlagPage>(`/api/students/${studentId}/context-flags${query}`, { token });

/** Returns the flag ids in a student's events, in outbox order. */
export const eventFlagIds = (
  { database }: TestApp,
  student: { readonly id: number; readonly organizationId: string | null },
): Promise<number[]> =>
  inContext(database.owner, 'SUPER', async (trx) => {
    const rows: { payload: { studentId: number; flagId: number } }[] = await trx('outbox')
      .where({ organizationId: student.organizationId, topic: 'context_flag.changed' })
      .orderBy('id')
      .select('payload');
    return rows.filter(({ payload }) => payload.studentId === student.id).map(({ payload }) => payload.flagId);
  });
