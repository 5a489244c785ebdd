// The last step of a sign-in by Google or by a recovery link: the frontend brings a code, and the second factor where the
// account has one in use.
import { createHash } from 'node:crypto';
import { CommittedRefusal, committingRefusals } from '#core/http/guards.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { claimFactorAttempt } from '../attempts/own-attempt.ts';
import type { SessionOpener } from '../records/enums.ts';
import { lockAccount } from '../records/users.ts';
import { tellFactor } from '../second-factor/login.ts';
import { secondFactorRequired } from '../second-factor/second-factor.ts';
import { openSession, type TokenPair } from '../sessions/sessions.ts';
import { stateExpired } from './state-expired.ts';

/** Five wrong second factors spend a code. */
const mostWrongFactors = 4;
/** From the moment in which the second factor was asked for: people look for their device. */
const factorLifeMs = 5 * minuteMs;

export interface Exchange {
  readonly code: string;
  readonly codeVerifier?: string;
  /** Six digits, or a recovery code. */
  readonly totp?: string;
  readonly clientIp: string;
}

interface Handoff {
  readonly organizationId: string;
  readonly userId: number;
  readonly expiresAt: string;
  readonly openedBy: SessionOpener;
  readonly factorAsked: boolean;
  readonly wrongFactors: number;
}

/**
 * STATE_EXPIRED for a code that is unknown, used, too old, brought with another verifier than it was asked for with (also
 * with one where none was announced), or whose account was closed meanwhile. SECOND_FACTOR_REQUIRED leaves the code for
 * five minutes more; BRUTE_FORCE_LOCKED after too many wrong second factors, whatever the code.
 */
export function exchangeHandoff<Said>(
  services: Services,
  exchange: Exchange,
  now: Date,
  answer: (pair: TokenPair) => Said,
): Promise<Said> {
  const { code, codeVerifier } = exchange;
  const key = { codeHash: sha256Hex(code), handoffChallenge: codeVerifier === undefined ? null : s256(codeVerifier) };
  return committingRefusals<Said>((settle) =>
    inContext(services.db, 'SUPER', (trx) =>
      settle(
        (async () => {
          const { row, secondFactor } = await admitted({ services, trx, key, now }, exchange);
          await trx('handoff_code').where(key).delete();
          const { organizationId, userId: id, openedBy } = row;
          return answer(
            await openSession(trx, services.tokens, { id, organizationId }, now, { openedBy, secondFactor }),
          );
        })(),
      ),
    ),
  );
}

interface Scene {
  readonly services: Services;
  readonly trx: Trx;
  readonly key: { readonly codeHash: string; readonly handoffChallenge: string | null };
  readonly now: Date;
}

/** The code's row, locked, and whether a second factor was shown. Of two that bring one code, one finds it. */
async function admitted(scene: Scene, { totp, clientIp }: Exchange) {
  const { services, trx, key, now } = scene;
  const known: Handoff | undefined = await trx('handoff_code').where(key).first('organizationId', 'userId');
  if (!known) throw stateExpired();
  const person = { organizationId: known.organizationId, id: known.userId };
  const user = await lockAccount(trx, person, 'share');
  const row: Handoff | undefined = await lockRows('handoffCode', 'change', trx('handoff_code').where(key)).first();
  if (!row || now >= new Date(row.expiresAt) || user?.status !== 'active') throw stateExpired();
  const attempt = totp === undefined ? undefined : await claimFactorAttempt({ services, trx, clientIp, now }, person);
  const shown = await tellFactor({ services, trx, clientIp, now }, person, totp);
  if (shown === 'none' || shown === 'shown') {
    await attempt?.passed();
    return { row, secondFactor: shown === 'shown' };
  }
  await keepForLater(scene, row, shown === 'wrong');
  throw attempt ? await attempt.refused(secondFactorRequired()) : new CommittedRefusal(secondFactorRequired());
}

async function keepForLater({ trx, key, now }: Scene, row: Handoff, isWrong: boolean): Promise<void> {
  const code = trx('handoff_code').where(key);
  if (isWrong && row.wrongFactors >= mostWrongFactors) {
    await code.delete();
    return;
  }
  const longer = row.factorAsked ? {} : { factorAsked: true, expiresAt: new Date(now.getTime() + factorLifeMs) };
  await code.update({ wrongFactors: row.wrongFactors + (isWrong ? 1 : 0), ...longer });
}

/** RFC 7636, 4.2 */
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
