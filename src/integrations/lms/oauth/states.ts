// The states of OAuth requests. Each is valid once, for ten minutes, in the browser that started.

import { type Db, inContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { modelOf } from '#core/platform/model.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';

export const stateLifeMs = 10 * minuteMs;

export const cipherContext = (stateHash: string) => `lms_oauth_state:${stateHash}`;

export interface OauthState {
  readonly stateHash: string;
  readonly organizationId: string;
  readonly connectionId: string;
  readonly nonce: string;
  readonly encryptedVerifier: string;
  readonly redirectUri: string;
  readonly expiresAt: string;
}

export const LmsOauthState = modelOf<OauthState & { readonly cookieHash: string }>('lms_oauth_state', {
  id: 'stateHash',
});

export const connectStateExpired = () =>
  new AppError('STATE_EXPIRED', 'This request to connect has expired or was used already; start again.');

/** Reads and deletes the state in one statement. Throws STATE_EXPIRED when it is unknown, used, expired or another browser's. */
export async function takeState(
  db: Db,
  state: string,
  cookieHashes: readonly string[],
  now: Date,
): Promise<OauthState> {
  const [row] = await inContext(db, 'SUPER', (trx) =>
    LmsOauthState.query(trx)
      .where({ stateHash: sha256Hex(state) })
      .whereIn('cookieHash', [...cookieHashes])
      .delete()
      .returning('*')
      .execute(),
  );
  if (!row || now >= new Date(row.expiresAt)) throw connectStateExpired();
  return row;
}
