// Facts that cannot be judged: each is tried again later and later, and put aside after ten times, which operators are told of.
import { type AlertKind, openAlert } from '../../kernel/alerts.ts';
import type { Services } from '../../kernel/services.ts';
import { nativeError, type Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { LedgerOf } from '../ledger/known.ts';
import type { Candidate } from './candidates.ts';

/** The first wait; each further one is twice as long, up to the longest. */
const firstWaitSeconds = 10;
const longestWaitSeconds = 3_600;
const triesBeforeParking = 10;

export const masteryParked: AlertKind = {
  kind: 'qa',
  code: 'MASTERY_PARKED',
  severity: 'high',
  summary: 'Whether a student has grown could not be judged for good; the fact is put aside.',
};

export async function noteFailure(
  trx: Trx,
  { log }: Pick<Services, 'log'>,
  { organizationId, studentId, now }: LedgerOf & { readonly now: Date },
  { id, topic }: Candidate,
  error: unknown,
): Promise<void> {
  log.error({ err: error, organizationId, studentIds: [studentId], topic }, 'growth could not be judged');
  const [failed] = await rowsOf<{ attempts: number }>(
    trx,
    `update mastery_candidate set last_error = :lastError, attempts = attempts + 1,
       next_try_at = :now::timestamptz + least(:first * power(2, attempts), :longest) * interval '1 second',
       parked_at = case when attempts + 1 >= :tries then :now::timestamptz end
     where organization_id = :organizationId and id = :id returning attempts`,
    {
      ...{ organizationId, id, lastError: described(error), now: now.toISOString() },
      ...{ first: firstWaitSeconds, longest: longestWaitSeconds, tries: triesBeforeParking },
    },
  );
  if (!failed || failed.attempts < triesBeforeParking) return;
  await openAlert(trx, masteryParked, {
    ...{ organizationId, dedupeKey: `mastery_parked:${id}`, details: { topic, attempts: failed.attempts }, at: now },
    about: { studentId },
  });
}

/** Texts of drivers hold values: of all errors only what names them is kept. */
function described(thrown: unknown): string {
  const error = nativeError(thrown);
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return typeof error;
  return 'severity' in error && 'code' in error ? `database ${String(error.code)}` : error.name;
}
