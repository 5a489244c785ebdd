// Tries a connection without creating it.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { readSent } from '../csv/connect.ts';
import { organizationForWrite } from '../scopes.ts';
import { TokenBody, tokenBodyLimitBytes } from './token-body.ts';
import { tryFiles, tryRest } from './trial.ts';

const StepView = named(
  'LmsTrialStep',
  object({
    step: oneOf(['address', 'certificate', 'token', 'scope', 'page', 'csv']),
    ok: Type.Boolean(),
    issue: nullable(Type.String()),
  }),
);
const CourseSample = named(
  'LmsCourseSample',
  object({
    courseExternalId: Type.String(),
    name: Type.String(),
    section: nullable(Type.String()),
    grade: nullable(Type.Integer({ minimum: 1, maximum: 4 })),
  }),
);
const PersonSample = named(
  'LmsPersonSample',
  object({
    externalId: Type.String(),
    fullNameAr: Type.String(),
    email: nullable(Type.String()),
    active: Type.Boolean(),
  }),
);
const TrialView = named(
  'LmsTrial',
  object({
    steps: Type.Array(StepView),
    samples: object({
      courses: Type.Array(CourseSample, { maxItems: 3 }),
      people: Type.Array(PersonSample, { maxItems: 3 }),
    }),
  }),
);

export const connectionTestRoute = route({
  method: 'post',
  path: '/api/lms/connections/test',
  operation: 'testLmsConnection',
  heavy: true,
  summary: 'Try what would make a connection, step by step, and keep nothing of it',
  tag: 'lms',
  allow: ['MANAGE_LMS_CONNECTIONS'],
  scope: ownOrganization,
  demo: 'blocked',
  body: TokenBody,
  bodyLimitBytes: tokenBodyLimitBytes,
  acceptsForm: true,
  answers: { 200: TrialView },
  errors: ['NOT_FOUND'],
  prepare: async ({ trx, actor, body, services }) => {
    await organizationForWrite({ trx, actor }, body.organizationId);
    return () => (body.type === 'rest' ? tryRest(services, body) : tryFiles(() => readSent(services, body.files)));
  },
  run: async ({ prepared: { steps, samples } }) =>
    ok({ steps: [...steps], samples: { courses: [...samples.courses], people: [...samples.people] } }),
});
