// Cookies are sent with requests that other sites cause, so a request that a cookie authenticates must come from a page of the
// service itself: browsers name the page's origin, and another site cannot add the header of the workbench.
import type { Config } from '#core/platform/config/config.ts';
import { AppError } from '#core/platform/errors.ts';
import { isPlainLoopback, ownAddress } from '../auth-sessions/own-address.ts';

type Addressed = Pick<Config, 'publicUrl' | 'host' | 'port'>;

/** Throws PERMISSION_DENIED with the header that is missing or names another site. */
export function requireOwnPage(config: Addressed, header: (name: string) => string | undefined): void {
  if (!isOwnOrigin(config, header('origin'))) throw foreignPage('Origin');
  if (header('x-workbench') !== '1') throw foreignPage('X-Workbench');
}

function foreignPage(field: string): AppError {
  return new AppError('PERMISSION_DENIED', 'Only pages of this service, at its public address, open this session.', {
    details: [{ field, issue: 'not_allowed' }],
  });
}

/** Without PUBLIC_URL (local trials) all names of the loopback interface are the own address. */
function isOwnOrigin(config: Addressed, origin: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const own = new URL(ownAddress(config));
  if (origin === own.origin) return true;
  const named = new URL(origin);
  const isLocalTrial = config.publicUrl === undefined && isPlainLoopback(own.href);
  return isLocalTrial && isPlainLoopback(origin) && named.origin === origin && named.port === own.port;
}
