// Whether the base of a draft is in force: after a rollback the newest version is not.
import type { Trx } from '#core/platform/db.ts';
import { activationAt, isOvertaken } from '#rules/rulesets/index.ts';
import type { RuleSet } from '../published/scopes.ts';
import type { DraftRow } from './store.ts';

/** Versions by `family/key`. */
export type Pins = Readonly<Record<string, number | undefined>>;

export const pinsInForce = async (trx: Trx, now: Date): Promise<Pins> => (await activationAt(trx, now))?.versions ?? {};

/** The first version of a document has no base that could have been rolled back. */
export const isBaseInForce = (
  { family, key, baseVersion }: Pick<DraftRow, 'family' | 'key' | 'baseVersion'>,
  pins: Pins,
) => baseVersion === 0 || pins[`${family}/${key}`] === baseVersion;

/** Returns the version that is in force because the newest one was rolled back; undefined where it was not. */
export async function versionBack(
  trx: Trx,
  { family, key, newestVersion }: RuleSet,
  now: Date,
): Promise<number | undefined> {
  const name = `${family}/${key}`;
  const inForce = (await pinsInForce(trx, now))[name];
  if (inForce === undefined || inForce === newestVersion) return undefined;
  const was = await trx('rule_activation as a')
    .join('rule_bundle as b', 'b.id', 'a.bundleId')
    .whereRaw('(b.versions ->> ?)::integer = ?', [name, newestVersion])
    .where('a.activeFrom', '<=', now)
    .whereRaw(`not ${isOvertaken}`)
    .first('a.id');
  return was === undefined ? undefined : inForce;
}
