// The last step of a sign-in by Google or by a recovery link: the frontend exchanges a code, and the second factor if the
// account has one, for tokens.
import { createHash } from 'node:crypto';
import { CommittedRefusal, committingRefusals } from '#core/http/guards.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { claimFactorAttempt } from '../attempts/own-attempt.ts';
import { openSession, type Respond } from '../auth-sessions/auth-sessions.ts';
import type { SessionOpener } from '../records/enums.ts';
import { HandoffCode, lockAccount } from '../records/users.ts';
import { secondFactorRequired } from '../second-factor/second-factor.ts';
import { verifyFactor } from '../second-factor/verify.ts';

/** The fifth wrong second factor invalidates the code. */
const maxWrongFactors = 4;
/** Lifetime of a code from the first request for the second factor, so that people can fetch their device. */
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
 * Opens a session. Throws STATE_EXPIRED for a code that is unknown, used or expired, whose verifier does not match its
 * challenge (also when there was none), or whose account was closed. SECOND_FACTOR_REQUIRED extends the code by five
 * minutes. Throws BRUTE_FORCE_LOCKED after too many wrong second factors of the account.
 */
export function exchangeHandoff<Result>(
  services: Services,
  exchange: Exchange,
  now: Date,
  respond: Respond<Result>,
): Promise<Result> {
  const { code, codeVerifier } = exchange;
  const key = { codeHash: sha256Hex(code), handoffChallenge: codeVerifier === undefined ? null : s256(codeVerifier) };
  return committingRefusals<Result>((settle) =>
    inContext(services.db, 'SUPER', (trx) =>
      settle(
        (async () => {
          const { row, secondFactor } = await lockVerifiedHandoff({ services, trx, key, now }, exchange);
          await HandoffCode.query(trx).where(key).delete();
          const { organizationId, userId: id, openedBy } = row;
          return respond(
            await openSession(trx, services.tokens, { id, organizationId }, now, { openedBy, secondFactor }),
            trx,
          );
        })(),
      ),
    ),
  );
}

interface ExchangeContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly key: { readonly codeHash: string; readonly handoffChallenge: string | null };
  readonly now: Date;
}

/** Returns the locked row of the code, and whether a second factor was verified. Only one of two exchanges finds it. */
async function lockVerifiedHandoff(context: ExchangeContext, { totp, clientIp }: Exchange) {
  const { services, trx, key, now } = context;
  const known: Handoff | undefined = await HandoffCode.query(trx).where(key).select('organizationId', 'userId').first();
  if (!known) throw signInExpired();
  const person = { organizationId: known.organizationId, id: known.userId };
  const user = await lockAccount(trx, person, 'share');
  const row: Handoff | undefined = await lockRows('handoffCode', 'change', HandoffCode.query(trx).where(key)).first();
  if (!row || now >= new Date(row.expiresAt) || user?.status !== 'active') throw signInExpired();
  const attempt = totp === undefined ? undefined : await claimFactorAttempt({ services, trx, clientIp, now }, person);
  const factor = await verifyFactor({ services, trx, clientIp, now }, person, totp);
  if (factor === 'none' || factor === 'accepted') {
    await attempt?.recordSuccess();
    return { row, secondFactor: factor === 'accepted' };
  }
  await keepHandoff(context, row, factor === 'wrong');
  throw attempt ? await attempt.committedRefusal(secondFactorRequired()) : new CommittedRefusal(secondFactorRequired());
}

async function keepHandoff({ trx, key, now }: ExchangeContext, row: Handoff, isWrong: boolean): Promise<void> {
  const code = HandoffCode.query(trx).where(key);
  if (isWrong && row.wrongFactors >= maxWrongFactors) {
    await code.delete();
    return;
  }
  const expiresAt = new Date(now.getTime() + factorLifeMs).toISOString();
  const wrongFactors = row.wrongFactors + (isWrong ? 1 : 0);
  await code.update({ wrongFactors, ...(!row.factorAsked && { factorAsked: true, expiresAt }) });
}

/** The refusal of a sign-in by redirect that cannot be completed. */
export const signInExpired = () =>
  new AppError('STATE_EXPIRED', 'This sign-in has expired or was used already; start again.');

/** RFC 7636, 4.2 */
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
