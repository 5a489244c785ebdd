// Reads rule sets and their published versions, and tries a version.
import { ok } from '#core/http/answers.ts';
import { object, page, pageQuery } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { runInWorker } from '../analysis-worker.ts';
import { publishedSetInPath, ruleSetParams, versionInPath, versionParams } from '../published/scopes.ts';
import { TryAnswer, TryBody } from '../schemas.ts';
import { trialDocuments } from '../validation/try.ts';
import { readVersion, ruleSetPage, versionPage } from './list.ts';
import { FullVersionView, RuleSetView, VersionView } from './schemas.ts';

const shared = { tag: 'rules workbench', allow: ['RUN_BACKOFFICE'], demo: 'read' } as const;
const setPath = '/api/admin/rule-sets/:family/:key';

export const ruleSetRoutes = [
  route({
    ...shared,
    method: 'get',
    path: '/api/admin/rule-sets',
    operation: 'listRuleSets',
    summary: 'Families and keys: what is in force, what is planned, the last change, health',
    scope: platformData,
    query: object(pageQuery),
    answers: { 200: page(RuleSetView) },
    run: async ({ trx, query, now }) => ok(await ruleSetPage(trx, query, now)),
  }),
  route({
    ...shared,
    method: 'get',
    path: `${setPath}/versions`,
    operation: 'listRuleVersions',
    summary: 'Versions of a rule set, newest first',
    scope: publishedSetInPath,
    params: ruleSetParams,
    query: object(pageQuery),
    answers: { 200: page(VersionView) },
    run: async ({ trx, scope, query, now }) => ok(await versionPage(trx, scope, query, now)),
  }),
  route({
    ...shared,
    method: 'get',
    path: `${setPath}/versions/:version`,
    operation: 'getRuleVersion',
    summary: 'A version with its document, cases, hashes and life',
    scope: versionInPath,
    params: versionParams,
    answers: { 200: FullVersionView },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ trx, scope, now }) => ok(await readVersion(trx, scope, now)),
  }),
  route({
    ...shared,
    method: 'post',
    path: `${setPath}/versions/:version/try`,
    operation: 'tryRuleVersion',
    heavy: true,
    summary: 'Ask a version: the answer with its trace and the smallest change that flips it',
    scope: versionInPath,
    readOnly: true,
    params: versionParams,
    body: TryBody,
    answers: { 200: TryAnswer },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, scope, body: { facts }, now }) => {
      const around = await trialDocuments(services, trx, scope, now);
      return () => runInWorker('try', { text: scope.document, facts, around });
    },
    run: async ({ prepared }) => ok(prepared),
  }),
];
