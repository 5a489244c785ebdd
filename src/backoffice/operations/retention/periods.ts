// How long each kind of data is kept. The document alone holds these numbers.

import type { Services } from '#core/module/services.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';

const kinds = [
  'teaserSessions',
  'teaserLeads',
  'endedSessions',
  'idempotencyAnswers',
  'clientLogs',
  'securityEvents',
] as const;
export type RetainedKind = (typeof kinds)[number];

interface RetentionDocument {
  readonly periods: Readonly<Record<RetainedKind, { readonly days: number }>>;
}

/** Periods in days. Throws BundleError when the document is missing, RangeError when one of its periods is. */
export function readRetention(bundle: RuleBundle): Readonly<Record<RetainedKind, number>> {
  const { periods } = bundle.values<RetentionDocument>('operations/retention');
  for (const kind of kinds) {
    if (!(periods[kind]?.days >= 1)) throw new RangeError(`operations/retention holds no period ${kind}`);
  }
  return Object.fromEntries(kinds.map((kind) => [kind, periods[kind].days])) as Record<RetainedKind, number>;
}

/** Returns the instant up to which rows have expired. No row expires while no rules are in force. */
export async function retainedSince(
  { rules }: Pick<Services, 'rules'>,
  db: Db | Trx,
  kind: RetainedKind,
  now: Date,
): Promise<Date> {
  try {
    const days = readRetention((await rules.at(db, now)).rules)[kind];
    return new Date(now.getTime() - days * dayMs);
  } catch (error) {
    if (error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE') return new Date(0);
    throw error;
  }
}
