// One person publishes a draft as a version of its rule document, and another puts that version in force. Neither can be undone.

import { isDeepStrictEqual } from 'node:util';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { type DocumentName, lockActivations } from '#rules/rulesets/index.ts';
import { activateNow, freezeDirectly, lookUpRuleSet, proposalValidation, type RuleSet } from '../../workbench/index.ts';
import { type BenchmarkDocument, benchmarkDocumentOf, benchmarkFamily } from './cell.ts';
import { requireDraft } from './drafts.ts';
import { lockRow, markPublished } from './rows.ts';
import type { ProfileVersion } from './versions.ts';

type Validation = Awaited<ReturnType<Awaited<ReturnType<typeof proposalValidation>>>>;

/** The draft that was validated while no transaction was open, with the result. */
export interface ValidatedProfile {
  readonly set: RuleSet;
  readonly document: BenchmarkDocument;
  readonly validation: Validation;
}

/** Throws CONFLICT `not_draft`. The returned validation throws VALIDATION_ERROR with a detail for each finding. */
export async function preparePublication(services: Services, trx: Trx, profile: ProfileVersion, now: Date) {
  requireStatus(profile, 'draft');
  const set = (await lookUpRuleSet(trx, benchmarkFamily, profile.key)) ?? {
    family: benchmarkFamily,
    key: profile.key,
    newestVersion: 0,
  };
  const document = benchmarkDocumentOf(profile, set.newestVersion + 1);
  const proposal = { baseVersion: set.newestVersion, document, cases: [] };
  const validate = await proposalValidation(services, trx, set, proposal, now);
  return async (): Promise<ValidatedProfile> => ({ set, document, validation: await validate() });
}

/** Throws CONFLICT `not_draft`, or `draft_moved` when the draft has changed since it was validated. */
export async function publishProfile(
  services: Services,
  trx: Trx,
  { id }: ProfileVersion,
  validated: ValidatedProfile,
  userId: number,
) {
  const { set, document, validation } = validated;
  const row = requireDraft(await lockRow(trx, id));
  if (!isDeepStrictEqual(benchmarkDocumentOf(row, set.newestVersion + 1), document)) {
    throw conflict('draft_moved', 'The profile was changed meanwhile. Read it again, and try again.');
  }
  const writers = [row.createdBy, ...row.editorUserIds];
  const version = await freezeDirectly(services, trx, set, document, validation, userId, [...new Set(writers)]);
  await markPublished(trx, id, version.id);
}

/** Throws CONFLICT `not_published` or `already_active`, and PERMISSION_DENIED for the people who wrote the profile. */
export async function activateProfile(
  services: Services,
  trx: Trx,
  profile: ProfileVersion,
  userId: number,
): Promise<void> {
  if (profile.status === 'draft') throw conflict('not_published', 'Publish the profile first.', 'status');
  const { current } = await lockActivations(trx, services.clock);
  const name: DocumentName = `${benchmarkFamily}/${profile.key}`;
  const { [name]: active } = current as Readonly<Record<string, number | undefined>>;
  if (active === profile.version) throw conflict('already_active', 'This profile is in force.', 'status');
  const pins = { [name]: profile.version };
  await activateNow(services, trx, { pins, kind: 'activate', reason: 'policy_change', userId });
}

function requireStatus({ status }: ProfileVersion, wanted: ProfileVersion['status']): void {
  if (status === wanted) return;
  throw conflict('not_draft', 'A published profile stays as it is: begin a new one for its cell.', 'status');
}
