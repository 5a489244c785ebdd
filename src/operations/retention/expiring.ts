// Tables whose rows have their time, and the moment from which it runs.
import type { Kept } from './periods.ts';

export interface Expiring {
  readonly kind: Kept;
  readonly table: string;
  /** SQL of the instant from which a row's period counts; null: it has not begun. */
  readonly since: string;
}

/** A session ends by a word or by its time. Its refresh tokens leave first: they refer to it. */
const sessionEnd = 'least(revoked_at, expires_at)';

export const expiring: readonly Expiring[] = [
  { kind: 'teaserSessions', table: 'teaser_session', since: 'started_at' },
  { kind: 'teaserLeads', table: 'teaser_lead', since: 'updated_at' },
  {
    kind: 'endedSessions',
    table: 'refresh_token',
    since: `(select ${sessionEnd} from auth_session s where s.id = refresh_token.session_id)`,
  },
  { kind: 'endedSessions', table: 'auth_session', since: sessionEnd },
  { kind: 'idempotencyAnswers', table: 'idempotent_answer', since: 'kept_at' },
  { kind: 'securityEvents', table: 'security_event', since: 'at' },
];
