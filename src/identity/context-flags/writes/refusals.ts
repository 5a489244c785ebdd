// What nobody may write about a child: looked for before anything else of a body is, so that no other refusal keeps or
// repeats it. Of what was sent only the length is stored.
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { type Dictionary, dictionaryIn } from '../dictionary.ts';
import { appendRefusal } from '../store.ts';

export interface SentBody {
  readonly services: { readonly rules: ActiveRules };
  readonly trx: Trx;
  readonly scope: { readonly id: number; readonly organizationId: string };
  readonly body: unknown;
  readonly now: Date;
}

/** Names that a body may have. */
type Names = readonly string[];

/**
 * Throws `context_flag_blocked` for a property that is not among `names` and for a code that the dictionary does not
 * hold, and stores the length; CONTEXT_FLAG_BLOCKED for a code that it blocks. A body of another form passes.
 */
export async function refuseFreeText({ services, trx, scope, body, now }: SentBody, names: Names): Promise<void> {
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

function refusedValues(body: object, names: Names, { knows, blocks }: Dictionary): unknown[] {
  const foreign = Object.entries(body).flatMap(([name, value]) => (names.includes(name) ? [] : [value]));
  const { flagCode } = body as { flagCode?: unknown };
  const isUnknown = typeof flagCode === 'string' && !knows(flagCode) && !blocks(flagCode);
  return isUnknown ? [...foreign, flagCode] : foreign;
}

/** In code points; of what is no text, that of its JSON. */
const lengthOf = (values: readonly unknown[]): number =>
  values.reduce<number>(
    (sum, value) => sum + [...(typeof value === 'string' ? value : JSON.stringify(value))].length,
    0,
  );

/** Names no value: what the caller sent is not said again either. */
export const notInDictionary = () =>
  new AppError('context_flag_blocked', 'Only codes of the dictionary can be noted, and nothing beside them.');

const blocked = () =>
  new AppError('CONTEXT_FLAG_BLOCKED', 'This code cannot be recorded.', {
    details: [{ field: 'flagCode', issue: 'is blocked' }],
  });
