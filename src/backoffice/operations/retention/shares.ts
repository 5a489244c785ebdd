// The rows of a table that expire together: all of them, or those of one kind.
import type { Services } from '#core/module/services.ts';
import { AppError } from '#core/platform/errors.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import type { Expiring } from './expiring.ts';
import { retainedSince } from './periods.ts';

export interface RetentionShare {
  readonly table: string;
  /** Null for a table without kinds. */
  readonly kind: string | null;
  /** SQL condition of the rows, with its bindings. */
  readonly rows: string;
  readonly bindings: readonly (string | string[])[];
  /** SQL of the instant at which a row's period begins. */
  readonly instant: string;
  /** Rows whose instant is not after this one have expired. */
  readonly end: Date;
}

type OfKinds = Extract<Expiring, { daysOf: unknown }>;

export async function sharesOf(services: Services, one: Expiring, now: Date): Promise<readonly RetentionShare[]> {
  if ('daysOf' in one) return sharesOfKinds(services, one, now);
  const whole = { table: one.table, kind: null, rows: 'true', bindings: [] };
  if ('until' in one) return [{ ...whole, instant: one.until, end: now }];
  return [{ ...whole, instant: one.since, end: await retainedSince(services, services.db, one.kind, now) }];
}

/** Nothing has expired while no rules are in force. */
async function sharesOfKinds({ rules, db }: Services, one: OfKinds, now: Date): Promise<readonly RetentionShare[]> {
  const inForce = await rules.at(db, now).catch(noneInForce);
  const days = inForce ? one.daysOf(inForce.rules) : new Map<string, number>();
  if (days.size === 0) return [];
  const { table, since: instant, only = 'true' } = one;
  const share = (kind: string, rows: string, bound: string | string[], ofKind: number): RetentionShare => ({
    ...{ table, kind, rows: `${rows} and ${only}`, bindings: [bound], instant },
    end: new Date(now.getTime() - ofKind * dayMs),
  });
  return [
    ...[...days].map(([kind, ofKind]) => share(kind, 'kind = ?', kind, ofKind)),
    share('others', 'kind <> all (?)', [...days.keys()], Math.max(...days.values())),
  ];
}

function noneInForce(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE')) throw error;
}
