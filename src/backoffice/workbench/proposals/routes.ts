// Publishes skill-status rules in one call, as a validated draft that waits for the approval of another person.
import Type, { type Static } from 'typebox';
import { ruleFamilies } from '#assessment/skill-status/index.ts';
import { created } from '#core/http/answers.ts';
import { Cuid, object, oneOf } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { FindingView } from '../drafts/schemas.ts';
import { lookUpRuleSet, type RuleSet } from '../published/scopes.ts';
import { AnyDocument, FamilyName, KeyName, mostCases, Sha256, VersionNumber } from '../schemas.ts';
import { proposalValidation, proposeDraft } from './propose.ts';

const accepted: ReadonlySet<string> = new Set([...ruleFamilies, 'catalogue']);

const PublishBody = object({
  family: FamilyName,
  key: KeyName,
  baseVersion: VersionNumber,
  document: AnyDocument,
  cases: Type.Array(Type.Unknown(), { maxItems: mostCases }),
});

const PublishAnswer = object({
  draftId: Cuid,
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

export const sseRuleRoutes = [
  route({
    method: 'post',
    path: '/api/sse/admin/rule-versions',
    operation: 'publishSseRuleVersion',
    heavy: true,
    summary: 'Draft, validate and submit a skill-status rule in one call; approval and activation stay with others',
    tag: 'skill status',
    allow: { allOf: ['RUN_BACKOFFICE', 'PUBLISH_RULES'] },
    scope: platformData,
    demo: 'blocked',
    body: PublishBody,
    answers: { 201: PublishAnswer },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, body, now }) =>
      proposalValidation(services, trx, await setOf(trx, body), body, now),
    run: async ({ trx, body, actor, prepared, now }) => {
      const { family, key } = body;
      const { draft, findings } = await proposeDraft(trx, await setOf(trx, body), body, prepared, actor.userId, now);
      const { id: draftId, baseVersion, sha256 } = draft;
      return created({
        draftId,
        family,
        key,
        baseVersion,
        state: 'in_review' as const,
        sha256,
        findings: [...findings],
      });
    },
  }),
];
