// The documents that a text is tried together with: none for a table, those in force for a document of values that renders texts.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';

/** Throws ENGINE_UNAVAILABLE when documents are needed and no rules are in force. */
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
