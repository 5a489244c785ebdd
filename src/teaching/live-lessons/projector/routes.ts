// Routes of projector runs: setup, answer key, marks and commit.
import { created, ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { lessonItemView } from '../../lesson-blueprints/index.ts';
import { lockLive } from '../rows/lock.ts';
import { liveInReach, liveTaught } from '../scopes.ts';
import { commitRun, itemsOfRun, markSeats, runOf } from './marks.ts';
import {
  ProjectorAnswerKey,
  ProjectorCommitBody,
  ProjectorCommitted,
  ProjectorMarked,
  ProjectorMarksBody,
  ProjectorSetup,
  ProjectorSetupBody,
} from './schemas.ts';
import { type DisplayedSeat, setUpRun } from './set-up.ts';
import { openRun, seatsOfRun } from './store.ts';

const common = { tag: 'live-sessions', allow: ['VIEW_OWN_CLASSES'], params: cuidParams } as const;
const writing = {
  ...common,
  method: 'post',
  scope: liveTaught,
  demo: 'blocked',
  errors: ['NOT_FOUND', 'CONFLICT'],
} as const;

/** A seat as shown to the class: without a name and without the reference of the item. */
function presentSeat({ seatNo, item }: DisplayedSeat) {
  const { itemRef: _itemRef, ...visible } = lessonItemView(item);
  return { seatNo, ...visible };
}

export const projectorRoutes = [
  route({
    ...writing,
    path: '/api/sync/sessions/:id/personalized-projector/setup',
    operation: 'setUpProjector',
    summary: 'Give seats an item each, to be shown together; the run before is discarded',
    body: ProjectorSetupBody,
    answers: { 201: ProjectorSetup },
    run: async (ctx) => {
      const row = await lockLive(ctx.trx, ctx.scope.organizationId, ctx.scope.id);
      const { projectorRunId, display } = await setUpRun(
        { ...ctx, now: ctx.services.clock.now() },
        row,
        ctx.body.seats,
      );
      return created({ projectorRunId, state: 'open' as const, display: display.map(presentSeat) });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/api/sync/sessions/:id/personalized-projector/answer-key',
    operation: 'getProjectorAnswerKey',
    summary: 'Who sits where, and which option is right',
    scope: liveInReach,
    demo: 'read',
    answers: { 200: ProjectorAnswerKey },
    run: async ({ trx, scope }) => {
      const run = await openRun(trx, scope);
      if (!run) throw notFound();
      const items = await itemsOfRun(trx, scope, run);
      const seats = (await seatsOfRun(trx, run)).flatMap(({ seatNo, studentId, itemRef }) => {
        const item = items.get(itemRef);
        return item ? [{ seatNo, studentId, itemRef, correctOptionIndex: item.correctOptionIndex }] : [];
      });
      return ok({ projectorRunId: run.id, seats });
    },
  }),
  route({
    ...writing,
    path: '/api/sync/sessions/:id/personalized-projector/mark',
    operation: 'markProjector',
    summary: 'Mark seats; a later mark replaces an earlier one',
    body: ProjectorMarksBody,
    answers: { 200: ProjectorMarked },
    run: async ({ services, trx, scope, body }) => {
      const row = await lockLive(trx, scope.organizationId, scope.id);
      const run = await runOf(trx, row, body.projectorRunId);
      return ok(await markSeats(trx, row, run, body.marks, services.clock.now()));
    },
  }),
  route({
    ...writing,
    path: '/api/sync/sessions/:id/personalized-projector/commit',
    operation: 'commitProjector',
    summary: 'Make answers of the marks, once; again answers the same',
    body: ProjectorCommitBody,
    answers: { 200: ProjectorCommitted },
    run: async ({ services, trx, scope, body: { projectorRunId } }) => {
      const row = await lockLive(trx, scope.organizationId, scope.id);
      const run = await runOf(trx, row, projectorRunId);
      return ok({ projectorRunId, ...(await commitRun(trx, row, run, services.clock.now())) });
    },
  }),
];
