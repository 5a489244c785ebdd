// Proposes a narrative: it is checked, numbered in its slot, and served only after another person approves it.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, type ErrorDetail } from '#core/platform/errors.ts';
import type { Narrative, Suggestion } from '../engine/narrative.ts';
import { unknownVariables } from '../engine/variables.ts';
import type { NewNarrative } from '../schemas.ts';
import { insertPending, lockSlot, type NarrativeRow } from '../store.ts';
import { requireSafeNarrative } from './require-safe.ts';

const narrativeIn = (body: NewNarrative): Narrative =>
  body.audience === 'teacher' ? { ...body, suggestions: null } : { ...body, titleAr: null, bodyAr: null };

/** Throws VALIDATION_ERROR `unknown_variable` or `duplicate`; the returned function throws like `requireSafeNarrative`. */
export async function prepareNarrative(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  body: NewNarrative,
  now: Date,
): Promise<() => Promise<Narrative>> {
  const narrative = narrativeIn(body);
  const details = [...unknownVariables(narrative), ...repeatedCodes(narrative.suggestions ?? [])];
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', 'The text is not valid; see details.', { details });
  const { rules: bundle } = await rules.at(trx, now);
  return async () => {
    await requireSafeNarrative(bundle, narrative);
    return narrative;
  };
}

function repeatedCodes(suggestions: readonly Suggestion[]): ErrorDetail[] {
  const codes = suggestions.map(({ suggestionCode }) => suggestionCode);
  return codes.flatMap((code, at) =>
    codes.indexOf(code) < at ? [{ field: `suggestions.${at}.suggestionCode`, issue: 'duplicate' }] : [],
  );
}

export async function createNarrative(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  narrative: Narrative,
  userId: number,
): Promise<NarrativeRow> {
  await lockSlot(trx, narrative);
  return insertPending(trx, narrative, userId, clock.now());
}
