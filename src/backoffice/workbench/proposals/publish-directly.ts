// Publishes documents that have routes of their own (contract 20 §4): they are checked like changes, frozen in the name of one
// person, and in force at once or when they are activated. The database accepts this for their families only.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import type { DocumentName } from '#rules/rulesets/index.ts';
import { lockActivations } from '#rules/rulesets/index.ts';
import { activateNow } from '../activation/activate.ts';
import { baseMoved } from '../changes/bases.ts';
import { changeText } from '../changes/text.ts';
import { lookUpRuleSet, type RuleSet } from '../published/scopes.ts';
import { findVersion, type VersionRow } from '../published/store.ts';
import { insertVersion, suspendReviews } from '../review/publish.ts';
import type { ValidationResult } from './propose.ts';

/**
 * Freezes the version that was validated, without putting it in force. `writers`: its authors beside the publisher. The second of
 * two concurrent calls throws CONFLICT `base_moved`, or `rules_moved` when the rules in force have changed.
 */
export async function freezeDirectly(
  services: Services,
  trx: Trx,
  { family, key, newestVersion: baseVersion }: RuleSet,
  document: object,
  { cases, level, bundleId }: ValidationResult,
  userId: number,
  writers: readonly number[] = [],
): Promise<VersionRow> {
  await suspendReviews(trx, [{ family, key }], services.clock.now());
  const { moment } = await lockActivations(trx, services.clock);
  const { newestVersion = 0 } = (await lookUpRuleSet(trx, family, key)) ?? {};
  if (newestVersion !== baseVersion) throw baseMoved(newestVersion);
  if ((await services.rules.at(trx, moment)).bundleId !== bundleId) {
    throw conflict('rules_moved', 'Other rules have come into force meanwhile. Try again.', 'document');
  }
  const version = baseVersion + 1;
  const text = changeText(document, { family, key, baseVersion, version });
  const names = { authorUserId: userId, editorUserIds: writers.filter((id) => id !== userId), approvedBy: [] };
  await insertVersion(trx, { family, key, version, ...text, level, ...names }, cases, moment);
  return (await findVersion(trx, family, key, version)) as VersionRow;
}

/** A version with the instant from which it is in force. */
export type ActivatedVersion = VersionRow & { readonly activeFrom: Date };

/** As `freezeDirectly`, and puts the version in force at once. */
export async function publishDirectly(
  services: Services,
  trx: Trx,
  set: RuleSet,
  document: object,
  validation: ValidationResult,
  userId: number,
): Promise<ActivatedVersion> {
  const row = await freezeDirectly(services, trx, set, document, validation, userId);
  const name: DocumentName = `${row.family}/${row.key}`;
  const { activeFrom } = await activateNow(services, trx, {
    pins: { [name]: row.version },
    kind: 'activate',
    reason: 'policy_change',
    userId,
  });
  return { ...row, activeFrom };
}
