// Creates and changes profiles while they are drafts. A cell has one draft at most.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, invalid } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { checkRuleText, documentValidators, isError } from '#rules/rulesets/index.ts';
import { benchmarkDocumentOf, type Expectation, type ProfileCell } from './cell.ts';
import { type BenchmarkProfileRow, insertProfileDraft, lockRow, updateProfileDraft } from './rows.ts';

type ReadingServices = Pick<Services, 'capabilities'>;

/** Returns the id of the draft. Throws CONFLICT `draft_open`, and VALIDATION_ERROR. */
export async function createProfile(
  services: ReadingServices,
  trx: Trx,
  profile: ProfileCell & Expectation,
  userId: number,
  now: Date,
): Promise<string> {
  requireSound(services, profile);
  const id = await insertProfileDraft(trx, profile, userId, now);
  if (id === undefined) throw conflict('draft_open', 'This cell has a draft already: change that one.');
  return id;
}

/** Throws CONFLICT `not_draft`, and VALIDATION_ERROR. */
export async function updateProfile(
  services: ReadingServices,
  trx: Trx,
  id: string,
  change: Partial<Expectation>,
  userId: number,
): Promise<void> {
  const row = requireDraft(await lockRow(trx, id));
  const changed = { ...row, ...change };
  requireSound(services, changed);
  await updateProfileDraft(trx, id, changed, [...new Set([...row.editorUserIds, userId])]);
}

/** Profiles from a release or from the workbench have no row, since they are published. */
export function requireDraft(row: BenchmarkProfileRow | undefined): BenchmarkProfileRow {
  if (row?.versionId === null) return row;
  throw conflict('not_draft', 'A published profile stays as it is: begin a new one for its cell.', 'status');
}

/** Refuses what the rule document could not hold before it waits for another person. */
function requireSound({ capabilities }: ReadingServices, profile: ProfileCell & Expectation): void {
  const { cuts } = profile;
  if (cuts && !(cuts.meets > cuts.approaching && cuts.approaching > cuts.below)) {
    throw invalid('cuts', 'must fall from meets to approaching to below');
  }
  const found = checkRuleText(canonicalJson(benchmarkDocumentOf(profile, 1)), documentValidators(capabilities)).filter(
    isError,
  );
  if (found.length === 0) return;
  throw new AppError('VALIDATION_ERROR', 'The profile is not valid; see details.', {
    details: found.map(({ message }) => ({ field: 'document', issue: message })),
  });
}
