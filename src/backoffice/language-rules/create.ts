// Creates a version of a set: one call validates it, publishes it and puts it in force (contract 60 §3).
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { type LanguageRule, readStoredTexts, textSources, tiersOfSet, unsafeTexts } from '#rules/language/index.ts';
import { documentName, overlaid, type RuleDocument, RuleVersion } from '#rules/rulesets/index.ts';
import {
  lookUpRuleSet,
  type proposalValidation,
  publishDirectly,
  type RuleSet,
  proposalValidation as validate,
} from '../workbench/index.ts';
import { allVersions, type SetKey } from './versions.ts';

export interface NewRules {
  readonly key: SetKey;
  readonly rules: readonly LanguageRule[];
}

type Validation = Awaited<ReturnType<Awaited<ReturnType<typeof proposalValidation>>>>;

/** The result of the validation, which ran while no transaction was open. */
export interface PreparedRules {
  readonly set: RuleSet;
  readonly document: object;
  readonly validation: Validation;
  readonly affected: readonly { readonly id: string; readonly tier: Affected['tier']; readonly ruleIds: string[] }[];
}
type Affected = ReturnType<typeof unsafeTexts>[number];

/** Throws VALIDATION_ERROR with a detail for each rule that is not possible and for each inherited case that would fail. */
export async function prepareRules(services: Services, trx: Trx, { key, rules }: NewRules, now: Date) {
  const set = await lookUpRuleSet(trx, 'language', key);
  if (!set) throw notFound();
  const base = await RuleVersion.query(trx)
    .where({ family: 'language', key, version: set.newestVersion })
    .select('document')
    .first()
    .throwIfNotFound();
  const { meta } = JSON.parse(base.document) as RuleDocument;
  const document = { meta: { ...meta, version: set.newestVersion + 1 }, entries: rules };
  const proposal = { baseVersion: set.newestVersion, document, cases: [] };
  const validation = await validate(services, trx, set, proposal, now);
  const { rules: inForce } = await services.rules.at(trx, now);
  const sources = textSources(services.capabilities, await readStoredTexts(trx, services.capabilities));
  return async (): Promise<PreparedRules> => {
    const passed = await validation();
    const name = documentName(document);
    const own = new Set<string>(tiersOfSet[name as keyof typeof tiersOfSet]);
    const affected = unsafeTexts(overlaid(inForce, [document]), sources)
      .filter(({ tier }) => own.has(tier))
      .map(({ id, tier, ruleIds }) => ({ id, tier, ruleIds: [...ruleIds] }));
    return { set, document, validation: passed, affected };
  };
}

/** Throws CONFLICT when another version was published meanwhile. */
export async function createRules(services: Services, trx: Trx, prepared: PreparedRules, userId: number) {
  const { set, document, validation, affected } = prepared;
  const row = await publishDirectly(services, trx, set, document, validation, userId);
  const versions = await allVersions(trx, row.activeFrom);
  const created = versions.find(({ key, version }) => key === row.key && version === row.version);
  if (!created) throw new Error(`${row.id} was published and is not there`);
  return { created, affected };
}
