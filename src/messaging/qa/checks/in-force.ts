// The checks in force at a moment.
import type { Services } from '#core/module/services.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { requireDocuments } from '#rules/rulesets/index.ts';
import { catalogueOf } from '../catalogue.ts';
import { type Checks, readChecks } from './read-checks.ts';

/** Throws ENGINE_UNAVAILABLE when no rules or no checks are in force. */
export async function checksAt(
  { rules, capabilities }: Pick<Services, 'rules' | 'capabilities'>,
  db: Db | Trx,
  moment: Date,
): Promise<Checks> {
  const bundle = (await rules.at(db, moment)).rules;
  const read = () => readChecks(bundle, catalogueOf(capabilities));
  return requireDocuments(read, 'The document of checks is missing.');
}
