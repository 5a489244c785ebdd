// Rules that one person wrote and published alone come into force only when a second person activates them.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notIndependent, requireIndependence } from '#identity/people/index.ts';
import { type DocumentName, type LockedTimeline, RuleVersion, type Versions } from '#rules/rulesets/index.ts';
import { activePeriodsOf } from './active-periods.ts';

interface Asked {
  /** The versions that are to change, by document. */
  readonly pins: Versions;
  readonly changed: readonly string[];
  readonly userId: number;
}

interface WrittenVersion {
  readonly family: string;
  readonly key: string;
  readonly version: number;
  readonly authorUserId: number;
  readonly editorUserIds: readonly number[];
}

/**
 * Throws PERMISSION_DENIED `approver_not_independent` or `approver_too_new`. Versions that others have approved, that came
 * with a release, or that were in force just before the present one need no second person.
 */
export async function requireOtherPerson(
  services: Services,
  trx: Trx,
  { pins, changed, userId }: Asked,
  { moment }: Pick<LockedTimeline, 'moment'>,
): Promise<void> {
  for (const written of await writtenAlone(services, trx, pins, changed)) {
    const periods = await activePeriodsOf(trx, `${written.family}/${written.key}` as DocumentName, moment);
    if (periods.at(-2)?.version === written.version) continue;
    const writers = [written.authorUserId, ...written.editorUserIds];
    if (writers.includes(userId)) throw notIndependent();
    await requireIndependence(services.config, trx, { writers, approver: userId, now: moment });
  }
}

function writtenAlone(
  { capabilities }: Pick<Services, 'capabilities'>,
  trx: Trx,
  pins: Versions,
  changed: readonly string[],
): Promise<WrittenVersion[]> {
  const families = capabilities.flatMap(({ ruleFamilies = [] }) =>
    ruleFamilies.filter(({ needsOtherActivator }) => needsOtherActivator).map(({ family }) => family),
  );
  const ids = Object.entries(pins)
    .filter(([name]) => changed.includes(name))
    .map(([name, version]) => `${name}@${version}`);
  return RuleVersion.query(trx)
    .whereIn('id', ids)
    .whereIn('family', families)
    .whereNotNull('authorUserId')
    .whereRaw('cardinality(approved_by) = 0')
    .orderBy('id')
    .select('family', 'key', 'version', 'authorUserId', 'editorUserIds')
    .castTo<WrittenVersion[]>()
    .execute();
}
