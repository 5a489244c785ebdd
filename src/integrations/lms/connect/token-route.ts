// Connects a platform with the files or credentials that an administrator sends.
import { created, ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import type { Services } from '#core/module/services.ts';
import { notFound } from '#core/platform/errors.ts';
import { presentConnection, refuseSecond } from '../connections/connections.ts';
import { connectByFiles, readSent } from '../csv/connect.ts';
import type { ParsedSet } from '../csv/set/parse.ts';
import type { RestCredentials } from '../providers/credentials.ts';
import { LmsConnectionView, providerParams } from '../schemas.ts';
import { organizationForWrite } from '../scopes.ts';
import { connectByRest, restCredentialsOf } from './rest.ts';
import { TokenBody, tokenBodyLimitBytes } from './token-body.ts';

type Read = { readonly set: ParsedSet } | { readonly credentials: RestCredentials };

async function read(services: Services, body: TokenBody): Promise<Read> {
  if (body.type === 'csv') return { set: await readSent(services, body.files) };
  return { credentials: await restCredentialsOf(services, body) };
}

export const tokenRoute = route({
  method: 'post',
  path: '/api/lms/connections/:provider/token',
  operation: 'submitLmsToken',
  summary: 'Connect a OneRoster service, or connect by files, or replace those of the active connection',
  tag: 'lms',
  allow: ['MANAGE_LMS_CONNECTIONS'],
  scope: ownOrganization,
  demo: 'blocked',
  params: providerParams,
  body: TokenBody,
  bodyLimitBytes: tokenBodyLimitBytes,
  acceptsForm: true,
  answers: { 201: LmsConnectionView, 200: LmsConnectionView },
  errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
  prepare: async ({ trx, actor, params, body, services }) => {
    const organizationId = await organizationForWrite({ trx, actor }, body.organizationId);
    if (params.provider !== 'oneroster') throw notFound();
    if (body.type === 'rest') await refuseSecond(trx, organizationId, params.provider);
    return () => read(services, body);
  },
  run: async ({ trx, actor, body, services, prepared, now }) => {
    const organizationId = await organizationForWrite({ trx, actor }, body.organizationId);
    const connecting = { organizationId, userId: actor.userId, now };
    if ('credentials' in prepared) {
      return created(presentConnection(await connectByRest(trx, services, connecting, prepared.credentials)));
    }
    const { connection, isNew } = await connectByFiles(trx, services, connecting, prepared.set);
    return isNew ? created(presentConnection(connection)) : ok(presentConnection(connection));
  },
});
