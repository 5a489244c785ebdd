// Routes of the board of a class.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { classInReach, staff } from '#identity/people/index.ts';
import { readBoard } from './board.ts';
import { BoardView, boardParams } from './schemas.ts';

export const boardRoutes = [
  route({
    method: 'get',
    path: '/api/rti/classes/:classId/board',
    operation: 'getRtiBoard',
    heavy: true,
    summary: 'A class by tier, alert and recommendation; with support, whether it was given beside what came of it',
    tag: 'rti',
    allow: ['VIEW_OWN_CLASSES'],
    scope: classInReach(staff, 'classId'),
    demo: 'read',
    params: boardParams,
    answers: { 200: BoardView },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, now }) => ok(await readBoard(services, trx, scope, now)),
  }),
];
