// The publish of skill-status rules in one call: a draft that is validated and waits for somebody else's approval.
import Type from 'typebox';
import { created } from '../../http/route.ts';
import { Cuid, object, oneOf } from '../../http/schemas.ts';
import { invalid } from '../../platform/errors.ts';
import { route } from '../../route.ts';
import { ruleFamilies } from '../../skill-status/index.ts';
import { platformData } from '../../tenancy/scopes.ts';
import { lookUpRuleSet } from '../rule-sets/scopes.ts';
import { AnyDocument, FamilyName, KeyName, Sha256, VersionNumber } from '../schemas.ts';
import { proposeDraft } from './propose.ts';
import { FindingView } from './schemas.ts';

const accepted: ReadonlySet<string> = new Set([...ruleFamilies, 'catalogue']);

const PublishBody = object({
  family: FamilyName,
  key: KeyName,
  baseVersion: VersionNumber,
  document: AnyDocument,
  cases: Type.Array(Type.Unknown(), { maxItems: 2_000 }),
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

export const sseRuleRoutes = [
  route({
    method: 'post',
    path: '/api/sse/admin/rule-versions',
    operation: 'publishSseRuleVersion',
    summary: 'Draft, validate and submit a skill-status rule in one call; approval and activation stay with others',
    tag: 'skill status',
    allow: { allOf: ['RUN_BACKOFFICE', 'PUBLISH_RULES'] },
    scope: platformData,
    demo: 'blocked',
    body: PublishBody,
    answers: { 201: PublishAnswer },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, body, actor, now }) => {
      const { family, key, ...wish } = body;
      if (!accepted.has(family)) throw invalid('family', 'is not one of the skill-status engine');
      const set = await lookUpRuleSet(trx, family, key);
      if (!set) throw invalid('key', 'is not a key of this family');
      const { draft, findings } = await proposeDraft(services, trx, set, wish, actor.userId, now);
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
