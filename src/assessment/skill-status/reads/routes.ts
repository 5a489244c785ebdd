// Routes of results for teachers and administrators. Only they see raw results; other audiences get labels that their
// own capabilities derive.
import { ok } from '#core/http/answers.ts';
import type { PrefetchRequest } from '#core/http/route.ts';
import { idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import { platformDataFor, studentInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { readDomainStatus, readSkillStatus } from './current.ts';
import { listBehaviorLogs, listPatternHistory } from './history.ts';
import { requireKnownSubSkill } from './known-sub-skill.ts';
import { listRuleLayers } from './rule-layers.ts';
import {
  BehaviorLogQuery,
  BehaviorLogView,
  DomainStatusView,
  PatternHistoryQuery,
  PatternHistoryView,
  RuleLayersQuery,
  RuleLayersView,
  SkillStatusView,
} from './schemas.ts';

const tag = 'skill status';

const ofStudent = {
  method: 'get',
  tag,
  allow: ['VIEW_OWN_CLASSES', 'RUN_BACKOFFICE'],
  scope: studentInReach(teachersAndAdmins),
  demo: 'read',
  params: idParams,
} as const;

/** The rules in force are prefetched with the caller. */
const ofRules = {
  prefetch: ({ services, trx, now }: PrefetchRequest<Services>) => services.rules.prefetch(trx, now),
} as const;

export const skillStatusRoutes = [
  route({
    ...ofStudent,
    path: '/api/sse/students/:id/skill-status',
    operation: 'getSkillStatus',
    summary: 'Status of every sub-skill in scope',
    answers: { 200: SkillStatusView },
    ...ofRules,
    run: async ({ services, trx, scope, now }) => readSkillStatus(services, trx, scope, now),
  }),
  route({
    ...ofStudent,
    path: '/api/sse/students/:id/domain-status',
    operation: 'getDomainStatus',
    summary: 'Status of domains, tiles and comprehension',
    answers: { 200: DomainStatusView },
    ...ofRules,
    run: async ({ services, trx, scope, now }) => readDomainStatus(services, trx, scope, now),
  }),
  route({
    ...ofStudent,
    path: '/api/sse/students/:id/pattern-history',
    operation: 'listPatternHistory',
    summary: 'How error patterns were classified over time',
    query: PatternHistoryQuery,
    answers: { 200: PatternHistoryView },
    run: async ({ services, trx, scope, query, now }) => {
      await requireKnownSubSkill(services, trx, query.subSkillCode, now);
      return ok(await listPatternHistory(trx, scope, query));
    },
  }),
  route({
    ...ofStudent,
    path: '/api/sse/students/:id/behavior-logs',
    operation: 'listBehaviorLogs',
    summary: 'How sessions were worked through; internal, without score impact',
    query: BehaviorLogQuery,
    answers: { 200: BehaviorLogView },
    run: async ({ trx, scope, query }) => ok(await listBehaviorLogs(trx, scope, query)),
  }),
  route({
    method: 'get',
    path: '/api/sse/rule-layers',
    operation: 'listRuleLayers',
    summary: 'The rules in force, layer by layer',
    tag,
    allow: ['VIEW_OWN_CLASSES', 'RUN_BACKOFFICE'],
    scope: platformDataFor(teachersAndAdmins),
    demo: 'read',
    query: RuleLayersQuery,
    answers: { 200: RuleLayersView },
    ...ofRules,
    run: async ({ services, trx, query, now }) => ok(await listRuleLayers(services, trx, now, query.family)),
  }),
];
