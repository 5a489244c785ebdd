// Language rules, which say what a text may say to whom: staff check texts, the backoffice maintains the rules.
import { created, ok } from '#core/http/answers.ts';
import { defaultLimit, pageOf, rowsAfterCursor } from '#core/http/pages.ts';
import { cuidParams, Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { platformDataFor } from '#identity/people/index.ts';
import { checkText } from '#rules/language/index.ts';
import { takeOutOfForce } from '../workbench/index.ts';
import { createRules, prepareRules } from './create.ts';
import { presentRules } from './present.ts';
import {
  CreatedView,
  LanguageRulesBody,
  LanguageRulesPage,
  LanguageRulesView,
  LanguageVersionsQuery,
  ValidateAnswer,
  ValidateBody,
} from './schemas.ts';
import { rulesInPath } from './scopes.ts';
import { allVersions } from './versions.ts';

const tag = 'language safety';
const path = '/api/language-rules';

export const languageRuleRoutes = [
  route({
    method: 'post',
    path: `${path}/validate`,
    operation: 'validateLanguage',
    heavy: true,
    summary: 'Ask what the filter refuses in a text; nothing of it is logged or stored',
    tag,
    allow: ['RUN_BACKOFFICE', 'VIEW_OWN_CLASSES'],
    scope: platformDataFor(['TEACHER', 'ADMIN']),
    demo: 'read',
    readOnly: true,
    body: ValidateBody,
    answers: { 200: ValidateAnswer },
    errors: ['ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, body, now }) => {
      const { rules } = await services.rules.at(trx, now);
      const { violations, ...checked } = checkText(rules, body.text, body.tier);
      return ok({ ...checked, violations: [...violations] });
    },
  }),
  route({
    method: 'get',
    path,
    operation: 'listLanguageRules',
    summary: 'Every version of the sets, newest first',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    query: LanguageVersionsQuery,
    answers: { 200: LanguageRulesPage },
    run: async ({ trx, query: { limit = defaultLimit, cursor }, now }) => {
      const rest = rowsAfterCursor(await allVersions(trx, now), cursor, ({ id }) => id);
      return ok(pageOf(rest, limit, ({ id }) => [id], presentRules));
    },
  }),
  route({
    method: 'post',
    path,
    operation: 'createLanguageRules',
    heavy: true,
    summary: 'Put a new version of a set in force; lists the texts that it catches, which fail closed',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'blocked',
    body: LanguageRulesBody,
    answers: { 201: CreatedView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, body, now }) => prepareRules(services, trx, body, now),
    run: async ({ services, trx, actor, prepared }) => {
      const { created: row, affected } = await createRules(services, trx, prepared, actor.userId);
      return created({ ...presentRules(row), affected: [...affected] });
    },
  }),
  route({
    method: 'patch',
    path: `${path}/:id/deactivate`,
    operation: 'deactivateLanguageRules',
    summary: 'Take a version out of force; with none left for a tier no text is shown to it',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: rulesInPath,
    demo: 'blocked',
    params: cuidParams,
    body: Empty,
    answers: { 200: LanguageRulesView },
    run: async ({ services, trx, scope, actor, now }) => {
      const { id, key, version } = scope;
      await takeOutOfForce(services, trx, { name: `language/${key}`, version, userId: actor.userId });
      const { activeFrom } = await services.rules.at(trx, services.clock.now());
      const later = new Date(Math.max(now.getTime(), Date.parse(activeFrom)));
      const row = (await allVersions(trx, later)).find((one) => one.id === id);
      return ok(presentRules(row ?? scope));
    },
  }),
];
