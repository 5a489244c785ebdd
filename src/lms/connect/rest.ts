// A OneRoster service makes a connection once it has given a token and a page.
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { AppError, invalid } from '../../platform/errors.ts';
import { insertActive } from '../connections/connections.ts';
import type { LmsConnection } from '../connections/rows.ts';
import type { Connecting } from '../csv/connect.ts';
import { type RestCredentials, sealCredentials } from '../providers/credentials.ts';
import { type Stumbled, tryOut } from '../providers/oneroster/try-out.ts';
import { nextRunAt } from '../scheduled/next-run.ts';
import type { RestTokenBody } from './schemas.ts';

/**
 * Holds no transaction. VALIDATION_ERROR `address_not_allowed`, `refused_by_provider` or `no_oneroster` at the field to
 * change; ENGINE_UNAVAILABLE where the service is down or nobody vouches for it.
 */
export async function restOf({ lmsReach }: Pick<Services, 'lmsReach'>, body: RestTokenBody): Promise<RestCredentials> {
  const { baseUrl, tokenUrl, clientId, clientSecret, scope } = body;
  const input = { baseUrl, tokenUrl, clientId, clientSecret, ...(scope !== undefined && { scope }) };
  const tried = await tryOut(lmsReach, input, { thorough: false });
  if ('stumbled' in tried) throw refusalOf(tried.stumbled);
  return tried.done.credentials;
}

const usualWaitSeconds = 30;

function refusalOf({ field, issue, retryAfter = usualWaitSeconds }: Stumbled): AppError {
  if (issue === 'down') {
    return new AppError('ENGINE_UNAVAILABLE', 'The service cannot be reached at the moment. Please try again later.', {
      retryAfter,
    });
  }
  if (issue === 'certificate_not_trusted') {
    return new AppError('ENGINE_UNAVAILABLE', 'The service shows a certificate that nobody known vouches for.', {
      details: [{ field, issue }],
      retryAfter,
    });
  }
  return invalid(field, issue);
}

/** CONFLICT `connection_active`. */
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
