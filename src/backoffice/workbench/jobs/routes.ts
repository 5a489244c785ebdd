// Lists the long jobs of the workbench, and orders failed ones again.
import Type from 'typebox';
import { created, ok } from '#core/http/answers.ts';
import {
  Count,
  Cuid,
  Empty,
  IntegerId,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { jobStates, retryJob } from '#core/long-jobs/index.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { listJobs } from './queries.ts';
import { writtenJob } from './scopes.ts';
import { jobSubjectTypes, listedKinds } from './subject.ts';

const tag = 'rules workbench';
const Kind = named('RuleJobKind', oneOf(listedKinds));
const State = named('JobState', oneOf(jobStates));

const RuleJobView = named(
  'RuleJob',
  object({
    jobId: Cuid,
    kind: Kind,
    subject: object({ type: oneOf(jobSubjectTypes), id: nullable(Type.String()) }),
    /** Null for the whole platform. */
    organizationId: nullable(Cuid),
    state: State,
    progress: object({ done: Count, total: Count }),
    /** Why the job failed. */
    issue: nullable(Type.String()),
    /** Null for jobs of the night. */
    requestedBy: nullable(IntegerId),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

export const jobRoutes = [
  route({
    method: 'get',
    path: '/api/admin/jobs',
    operation: 'listRuleJobs',
    summary: 'Impacts and replays of all organizations, newest first',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    query: object({ ...pageQuery, kind: Type.Optional(Kind), state: Type.Optional(State) }),
    answers: { 200: page(RuleJobView) },
    run: async ({ trx, query }) => ok(await listJobs(trx, query)),
  }),
  route({
    method: 'post',
    path: '/api/admin/jobs/:jobId/retry',
    operation: 'retryRuleJob',
    summary: 'Order an impact or a replay that has failed again, with the same input',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: writtenJob,
    demo: 'blocked',
    params: object({ jobId: Cuid }),
    body: Empty,
    answers: { 201: named('RuleJobRetried', object({ jobId: Cuid })) },
    errors: ['CONFLICT'],
    run: async ({ trx, scope: job, actor, now }) => created({ jobId: await retryJob(trx, job, actor.userId, now) }),
  }),
];
