// The route that every device polls every two seconds for the state of a live lesson.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { batchedRoute } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { type LiveEventRow, visibleEventsAfter } from '../rows/events.ts';
import { LivePoll, pollQuery } from './schemas.ts';
import { livePolled, type PolledLive } from './scope.ts';
import type { LiveSnapshot } from './snapshot.ts';
import { maxEventsPerPoll, pollView, seqOf } from './view.ts';

export const pollRoutes = [
  batchedRoute({
    path: '/api/sync/sessions/:id/poll',
    operation: 'pollLiveSession',
    summary: 'How a live session stands for the caller, and what has happened since the cursor',
    tag: 'live-sessions',
    allow: ['VIEW_OWN_CLASSES', 'TAKE_DIAGNOSTIC'],
    scope: livePolled,
    params: cuidParams,
    query: pollQuery,
    answers: { 200: LivePoll },
    run: async ({ services, actor, scope, query }) => {
      const after = seqOf(query.cursor, scope.version.seq);
      const snapshot = await services.liveSnapshots.get(services, scope);
      const student = actor.persona === 'STUDENT' ? actor.userId : undefined;
      return ok(pollView(snapshot, student, await happened(services, scope, snapshot, { after, student })));
    },
  }),
];

/** Returns the events after the cursor. Those before the events of the snapshot are read from the database. */
async function happened(
  { db }: Services,
  { row }: PolledLive,
  { events, version }: LiveSnapshot,
  { after, student }: { readonly after: number; readonly student: number | undefined },
): Promise<readonly LiveEventRow[]> {
  const before = (events[0]?.seq ?? version.seq + 1) - 1;
  if (after >= before) return events.slice(after - before);
  const { organizationId } = row;
  return inReadOnlyContext(db, { organizationId }, (trx) =>
    visibleEventsAfter(trx, row, { after, upTo: version.seq, student, limit: maxEventsPerPoll + 1 }),
  );
}
