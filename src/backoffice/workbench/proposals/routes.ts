// Publishes skill-status rules in one call, as a checked change that waits for the approval of another person.
import Type, { type Static } from 'typebox';
import { ruleFamilies } from '#assessment/skill-status/index.ts';
import { created } from '#core/http/answers.ts';
import { Cuid, object, oneOf } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { baseMoved, basesOf } from '../changes/bases.ts';
import { textOnBase } from '../changes/documents/text-of-change.ts';
import { baseTextsOf } from '../changes/edit.ts';
import { prepareCheck, requireSameRules } from '../changes/prepare-check.ts';
import { FindingView } from '../changes/schemas.ts';
import { nameOfDocument } from '../changes/store.ts';
import { requireChange } from '../changes/text.ts';
import { lookUpRuleSet, type RuleSet } from '../published/scopes.ts';
import { AnyDocument, FamilyName, KeyName, mostCases, Sha256, VersionNumber } from '../schemas.ts';
import { whileEditing } from '../validation/engine/reference-check.ts';
import { passed, proposeChange } from './propose.ts';

const accepted: ReadonlySet<string> = new Set([...ruleFamilies, 'catalogue']);

const PublishBody = object({
  family: FamilyName,
  key: KeyName,
  baseVersion: VersionNumber,
  document: AnyDocument,
  cases: Type.Array(Type.Unknown(), { maxItems: mostCases }),
});

const PublishAnswer = object({
  changeId: Cuid,
  family: FamilyName,
  key: KeyName,
  baseVersion: VersionNumber,
  state: oneOf(['in_review']),
  sha256: Sha256,
  findings: Type.Array(FindingView),
});

/** Throws VALIDATION_ERROR for a rule set that is not of the skill-status engine. */
async function setOf(trx: Trx, { family, key }: Static<typeof PublishBody>): Promise<RuleSet> {
  if (!accepted.has(family)) throw invalid('family', 'is not one of the skill-status engine');
  const set = await lookUpRuleSet(trx, family, key);
  if (!set) throw invalid('key', 'is not a key of this family');
  return set;
}

/** Throws CONFLICT `base_moved`. */
async function textOf(trx: Trx, set: RuleSet, { baseVersion, document, cases }: Static<typeof PublishBody>, now: Date) {
  const name = nameOfDocument(set);
  const bases = await basesOf(trx, [name], now);
  const [base, text] = [bases.get(name), (await baseTextsOf(trx, bases)).get(name)];
  if (!base || !text || base.version !== baseVersion) throw baseMoved(base?.version ?? 0);
  return { base: text, text: textOnBase(set, base, text, { document, cases }) };
}

export const sseRuleRoutes = [
  route({
    method: 'post',
    path: '/api/sse/admin/rule-versions',
    operation: 'publishSseRuleVersion',
    heavy: true,
    summary: 'Propose a skill-status rule in one call, as a change that waits for the review of others',
    tag: 'skill status',
    allow: { allOf: ['RUN_BACKOFFICE', 'PUBLISH_RULES'] },
    scope: platformData,
    demo: 'blocked',
    body: PublishBody,
    answers: { 201: PublishAnswer },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, body, now }) => {
      const { text } = await textOf(trx, await setOf(trx, body), body, now);
      const check = await prepareCheck(services, trx, [text], whileEditing, now);
      return async () => ({ result: passed(await check()), version: text.version });
    },
    run: async ({ services, trx, body, actor, prepared: { result, version }, now }) => {
      const { family, key, baseVersion, document, cases } = body;
      const set = await setOf(trx, body);
      const { base, text } = await textOf(trx, set, body, now);
      requireChange(base.document, text.document);
      await requireSameRules(services, trx, result, now);
      const documents = [{ family, key, baseVersion, document, cases }];
      const change = await proposeChange(
        trx,
        { title: `${family}/${key}@${version}`, documents },
        result,
        actor.userId,
        now,
      );
      return created({
        changeId: change.id,
        family,
        key,
        baseVersion,
        state: 'in_review' as const,
        sha256: change.sha256,
        findings: [...result.findings],
      });
    },
  }),
];
