// Connecting a platform by what an administrator hands over.
import { created, ok } from '../../http/answers.ts';
import { route } from '../../kernel/route.ts';
import { ownOrganization } from '../../kernel/scopes.ts';
import { notFound } from '../../platform/errors.ts';
import { presentConnection } from '../connections/present.ts';
import { connectByFiles, readSent } from '../csv/connect.ts';
import { LmsConnectionView, providerParams } from '../schemas.ts';
import { organizationForWrite } from '../scopes.ts';
import { CsvTokenBody, tokenBodyLimitBytes } from './schemas.ts';

export const tokenRoute = route({
  method: 'post',
  path: '/api/lms/connections/:provider/token',
  operation: 'submitLmsToken',
  summary: 'Connect by OneRoster files, or replace those of the active connection',
  tag: 'lms',
  allow: ['MANAGE_LMS_CONNECTIONS'],
  scope: ownOrganization,
  demo: 'blocked',
  params: providerParams,
  body: CsvTokenBody,
  bodyLimitBytes: tokenBodyLimitBytes,
  acceptsForm: true,
  answers: { 201: LmsConnectionView, 200: LmsConnectionView },
  errors: ['NOT_FOUND', 'CONFLICT'],
  prepare: async ({ trx, actor, params, body, services }) => {
    await organizationForWrite({ trx, actor }, body.organizationId);
    if (params.provider !== 'oneroster') throw notFound();
    return () => readSent(services, body.files);
  },
  run: async ({ trx, actor, body, prepared, now }) => {
    const organizationId = await organizationForWrite({ trx, actor }, body.organizationId);
    const { connection, isNew } = await connectByFiles(trx, { organizationId, userId: actor.userId, now }, prepared);
    return isNew ? created(presentConnection(connection)) : ok(presentConnection(connection));
  },
});
