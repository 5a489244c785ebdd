// For documents that the specification writes by routes of their own: the same validation, frozen in the name of one person
// (contract 20 §4), in force at once or when somebody asks for it. The database lets only their families through this door.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import type { DocumentName } from '#rules/rulesets/index.ts';
import { lockActivations } from '#rules/rulesets/index.ts';
import { activateNow } from '../activation/activate.ts';
import { baseMoved } from '../drafts/edit.ts';
import type { ValidationResult } from '../drafts/prepare-validation.ts';
import { draftText } from '../drafts/text.ts';
import { lookUpRuleSet, type RuleSet } from '../published/scopes.ts';
import { findVersion, type VersionRow } from '../published/store.ts';
import { insertVersion, suspendOthers } from '../review/publish.ts';

/**
 * The version that `validation` is of, not in force yet; `writers`: who wrote it beside the publisher. Two at once: the second finds a newer version and gets CONFLICT
 * `base_moved`, or other rules in force and gets `rules_moved`.
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
  await suspendOthers(trx, { family, key, baseVersion }, services.clock.now());
  const { moment } = await lockActivations(trx, services.clock);
  const { newestVersion = 0 } = (await lookUpRuleSet(trx, family, key)) ?? {};
  if (newestVersion !== baseVersion) throw baseMoved(newestVersion);
  if ((await services.rules.at(trx, moment)).bundleId !== bundleId) {
    throw conflict('rules_moved', 'Other rules have come into force meanwhile. Try again.', 'document');
  }
  const text = draftText(document, { family, key, baseVersion });
  const names = { authorUserId: userId, editorUserIds: writers.filter((id) => id !== userId), approvedBy: [] };
  await insertVersion(trx, { family, key, baseVersion, ...text, level, ...names }, cases, moment);
  return (await findVersion(trx, family, key, baseVersion + 1)) as VersionRow;
}

/** With the moment from which it is in force. */
export type Published = VersionRow & { readonly activeFrom: Date };

/** The same, in force at once. */
export async function publishDirectly(
  services: Services,
  trx: Trx,
  set: RuleSet,
  document: object,
  validation: ValidationResult,
  userId: number,
): Promise<Published> {
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
