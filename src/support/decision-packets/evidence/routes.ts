// Routes of a student's evidence.
import { ok } from '#core/http/answers.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { studentInReach } from '#identity/people/index.ts';
import { listEvidence } from './list.ts';
import { readingAt } from './rows.ts';
import { EvidenceList, EvidenceQuery } from './schemas.ts';

export const evidenceRoutes = [
  route({
    method: 'get',
    path: '/api/students/:id/data-room/evidence',
    operation: 'listDataRoomEvidence',
    summary: 'Facts about a student, newest first, by type, time and sub-skill',
    tag: 'decision-packets',
    allow: ['VIEW_OWN_CLASSES'],
    scope: studentInReach(),
    demo: 'read',
    params: idParams,
    query: EvidenceQuery,
    answers: { 200: EvidenceList },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, query, now }) =>
      ok(await listEvidence(await readingAt(services, trx, now), scope, query)),
  }),
];
