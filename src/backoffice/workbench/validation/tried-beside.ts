// What a text that is tried needs beside itself: nothing for a table, the documents in force for values that speak.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';

/** Throws ENGINE_UNAVAILABLE where they are needed and none are in force. */
export async function triedBeside(
  { rules, capabilities }: Pick<Services, 'rules' | 'capabilities'>,
  trx: Trx,
  { family }: { readonly family: string },
  now: Date,
): Promise<readonly RuleDocument[]> {
  const parts = capabilities.flatMap(({ ruleFamilies = [] }) => ruleFamilies);
  const speaks = parts.some((part) => part.family === family && part.tryValues !== undefined);
  return speaks ? (await rules.at(trx, now)).rules.documents : [];
}
