// Connects a OneRoster service after it has returned a token and a page.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, invalid } from '#core/platform/errors.ts';
import { insertActive } from '../connections/connections.ts';
import type { LmsConnection } from '../connections/rows.ts';
import type { Connecting } from '../csv/connect.ts';
import { type RestCredentials, sealCredentials } from '../providers/credentials.ts';
import { isBearer } from '../providers/oneroster/token.ts';
import { type RestInput, type TrialFailure, tryConnection } from '../providers/oneroster/try-connection.ts';
import { nextRunAt } from '../scheduled/schedule.ts';
import type { RestTokenBody } from './token-body.ts';

/**
 * The caller holds no transaction. Throws VALIDATION_ERROR `address_not_allowed`, `refused_by_provider` or `no_oneroster` for
 * the field to correct, and ENGINE_UNAVAILABLE when the service is down or its certificate is not trusted.
 */
export async function restCredentialsOf(
  { lmsClient }: Pick<Services, 'lmsClient'>,
  body: RestTokenBody,
): Promise<RestCredentials> {
  const tried = await tryConnection(lmsClient, restInputOf(body), { thorough: false });
  if ('failure' in tried) throw refusalOf(tried.failure);
  return tried.done.credentials;
}

const clientFields = ['tokenUrl', 'clientId', 'clientSecret'] as const;

/** Throws VALIDATION_ERROR for a member that the authentication method needs and that is missing, or that it does not use. */
export function restInputOf(body: RestTokenBody): RestInput {
  const { baseUrl, auth = { type: 'basic' }, scope = null } = body;
  if (auth.type === 'bearer') {
    const [surplus] = [...clientFields, 'scope' as const].filter((field) => body[field] !== undefined);
    if (surplus) throw invalid(surplus, 'is not used with a bearer token');
    if (auth.token === undefined) throw invalid('auth.token', 'is missing');
    if (!isBearer(auth.token)) throw invalid('auth.token', 'is not a bearer token');
    return { baseUrl, client: { auth: 'bearer', token: auth.token } };
  }
  if (auth.token !== undefined) throw invalid('auth.token', 'is used with a bearer token only');
  const [missing] = clientFields.filter((field) => body[field] === undefined);
  if (missing) throw invalid(missing, 'is missing');
  const { tokenUrl = '', clientId = '', clientSecret = '' } = body;
  return {
    baseUrl,
    client: { ...(auth.type === 'body' && { auth: auth.type }), tokenUrl, clientId, clientSecret, scope },
  };
}

const usualWaitSeconds = 30;

function refusalOf({ field, issue, retryAfter = usualWaitSeconds }: TrialFailure): AppError {
  if (issue === 'down') {
    return new AppError('ENGINE_UNAVAILABLE', 'The service cannot be reached at the moment. Please try again later.', {
      retryAfter,
    });
  }
  if (issue === 'certificate_not_trusted') {
    return new AppError('ENGINE_UNAVAILABLE', 'The certificate of the service is not trusted.', {
      details: [{ field, issue }],
      retryAfter,
    });
  }
  return invalid(field, issue);
}

/** Throws CONFLICT `connection_active`. */
export function connectByRest(
  trx: Trx,
  { cipher }: Pick<Services, 'cipher'>,
  { organizationId, userId, now }: Connecting,
  credentials: RestCredentials,
): Promise<LmsConnection> {
  const provider = 'oneroster';
  const sealed = sealCredentials(cipher, { organizationId, provider }, credentials);
  const made = { organizationId, provider, kind: 'rest', connectedBy: userId, credentials: sealed } as const;
  return insertActive(trx, { ...made, nextRunAt: (id) => nextRunAt(id, now) }, now);
}
