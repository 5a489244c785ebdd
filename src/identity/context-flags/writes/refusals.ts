// Refusal of free text about a child. It is checked before the rest of the body, so that no other error response repeats
// the text. Only the length of the refused text is stored.
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { dictionaryIn, type FlagDictionary } from '../dictionary.ts';
import { appendRefusal } from '../store.ts';

export interface FlagRequest {
  readonly services: { readonly rules: ActiveRules };
  readonly trx: Trx;
  readonly scope: { readonly id: number; readonly organizationId: string };
  readonly body: unknown;
  readonly now: Date;
}

/** Property names that a body may have. */
type Names = readonly string[];

/**
 * Throws `context_flag_blocked` and stores the length for a property that is not among `names` and for a code that is not
 * in the dictionary. Throws CONTEXT_FLAG_BLOCKED for a blocked code. A body that is no object is left to the schema check.
 */
export async function refuseFreeText({ services, trx, scope, body, now }: FlagRequest, names: Names): Promise<void> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const dictionary = dictionaryIn((await services.rules.at(trx, now)).rules);
  const refused = refusedValues(body, names, dictionary);
  if (refused.length > 0) {
    const { id: studentId, organizationId } = scope;
    await appendRefusal(trx, { organizationId, studentId, length: lengthOf(refused) }, now);
    throw new CommittedRefusal(notInDictionary());
  }
  const { flagCode } = body as { flagCode?: unknown };
  if (typeof flagCode === 'string' && dictionary.blocks(flagCode)) throw blocked();
}

function refusedValues(body: object, names: Names, { knows, blocks }: FlagDictionary): unknown[] {
  const foreign = Object.entries(body).flatMap(([name, value]) => (names.includes(name) ? [] : [value]));
  const { flagCode } = body as { flagCode?: unknown };
  const isUnknown = typeof flagCode === 'string' && !knows(flagCode) && !blocks(flagCode);
  return isUnknown ? [...foreign, flagCode] : foreign;
}

/** The total length in code points; a value that is no string counts with the length of its JSON. */
const lengthOf = (values: readonly unknown[]): number =>
  values.reduce<number>(
    (sum, value) => sum + [...(typeof value === 'string' ? value : JSON.stringify(value))].length,
    0,
  );

/** The message does not repeat the value that the caller sent. */
export const notInDictionary = () =>
  new AppError('context_flag_blocked', 'Only codes of the dictionary can be noted, and nothing beside them.');

const blocked = () =>
  new AppError('CONTEXT_FLAG_BLOCKED', 'This code cannot be recorded.', {
    details: [{ field: 'flagCode', issue: 'is blocked' }],
  });
