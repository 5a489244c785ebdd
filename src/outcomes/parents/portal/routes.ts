// Routes of the parent portal. Responses are rendered and validated while no transaction is open, and sent only if the
// child is still linked afterwards.
import type { TSchema } from 'typebox';
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import type { Services } from '#core/module/services.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { renderGuarded } from '../alerts.ts';
import { childrenOf, linkedChildren } from '../facts/children.ts';
import { type FamilyReadContext, familyFacts, rulesAt, seasonFactsOf } from '../facts/family-facts.ts';
import { finishedDiagnostics } from '../facts/measured.ts';
import { renderForFamily } from '../render-for-family.ts';
import { presentChildren, presentDiagnostics, presentGrowth, presentRecommendations } from './present.ts';
import {
  ChildDiagnostics,
  ChildGrowth,
  ChildList,
  ChildRecommendations,
  childParams,
  mostDiagnostics,
  WindowQuery,
} from './schemas.ts';
import { linkedChild } from './scopes.ts';

const reading = {
  method: 'get',
  tag: 'parents',
  allow: ['VIEW_OWN_CHILDREN', 'VIEW_PARENT_REPORTS', 'RUN_BACKOFFICE'],
  demo: 'read',
  errors: ['ENGINE_UNAVAILABLE'],
} as const;
const ofChild = { ...reading, scope: linkedChild, params: childParams } as const;

export const noStore = { 'cache-control': 'private, no-store' } as const;

interface RequestContext extends FamilyReadContext {
  readonly services: Services;
}

/** Throws ENGINE_UNAVAILABLE without rules for families. */
async function readRules({ services, trx, now }: RequestContext) {
  const rules = await rulesAt({ services, trx, now });
  return { rules, rendererFor: renderForFamily(rules.bundle), reading: { services, trx, now } };
}

const singleChild = ({ id, organizationId, timeZone }: StudentInScope) => ({
  organizationId,
  timeZone,
  studentIds: [id],
});

/** Renders and validates a response outside the transaction. */
const deferRender =
  <T>({ services }: RequestContext, operation: string, schema: TSchema, versions: object, render: () => T) =>
  (): Promise<T> =>
    renderGuarded(services, { operation, versions }, schema, render);

export const portalRoutes = [
  route({
    ...reading,
    path: '/api/parent/children',
    operation: 'listChildren',
    summary: 'The linked children of a parent, in the order in which they were linked',
    scope: anySignedIn,
    answers: { 200: ChildList },
    prepare: async (ctx) => {
      const { actor, trx, now } = ctx;
      const { rules, rendererFor } = await readRules(ctx);
      const { organizationId, userId: parentUserId } = actor;
      const children =
        organizationId === null ? [] : await linkedChildren(trx, { organizationId, parentUserId }, { rules, now });
      return deferRender(ctx, 'listChildren', ChildList, rules.bundle.versions, () =>
        presentChildren(children, rendererFor),
      );
    },
    run: async ({ prepared }) => ({ ...ok(prepared), headers: noStore }),
  }),
  route({
    ...ofChild,
    path: '/api/parent/children/:childId/diagnostics',
    operation: 'listChildDiagnostics',
    summary: 'Finished diagnostics of a child, newest first, each with its day and a word',
    answers: { 200: ChildDiagnostics },
    prepare: async (ctx) => {
      const { trx, scope } = ctx;
      const { rules, rendererFor } = await readRules(ctx);
      const found = await finishedDiagnostics(trx, scope, mostDiagnostics);
      return deferRender(ctx, 'listChildDiagnostics', ChildDiagnostics, rules.bundle.versions, () =>
        presentDiagnostics(rules, rendererFor(''), found, scope.timeZone),
      );
    },
    run: async ({ prepared }) => ({ ...ok(prepared), headers: noStore }),
  }),
  route({
    ...ofChild,
    path: '/api/parent/children/:childId/growth',
    operation: 'getChildGrowth',
    summary: 'How reading grows: a word for each area and season of the school year',
    answers: { 200: ChildGrowth },
    prepare: async (ctx) => {
      const { trx, scope } = ctx;
      const { rules, rendererFor, reading } = await readRules(ctx);
      const [[child], growing] = await Promise.all([
        childrenOf(trx, scope.organizationId, [scope.id], { rules, now: reading.now }),
        seasonFactsOf(reading, rules, singleChild(scope)),
      ]);
      const grown = { ...growing(scope.id), grade: child?.grade ?? null };
      return deferRender(ctx, 'getChildGrowth', ChildGrowth, rules.bundle.versions, () =>
        presentGrowth(rules, rendererFor(''), grown),
      );
    },
    run: async ({ prepared }) => ({ ...ok(prepared), headers: noStore }),
  }),
  route({
    ...ofChild,
    path: '/api/parent/children/:childId/recommendations',
    operation: 'getChildRecommendations',
    summary: 'What a family can do at home, or that more activities are needed first',
    query: WindowQuery,
    answers: { 200: ChildRecommendations },
    prepare: async (ctx) => {
      const { scope, query } = ctx;
      const { window = 'BOY' } = query;
      const { rules, rendererFor, reading } = await readRules(ctx);
      const [child] = await familyFacts(reading, rules, singleChild(scope), window);
      if (!child) throw new RangeError('a child in scope is not known');
      return deferRender(ctx, 'getChildRecommendations', ChildRecommendations, rules.bundle.versions, () =>
        presentRecommendations(rules, rendererFor(child.fullNameAr), child, window),
      );
    },
    run: async ({ prepared }) => ({ ...ok(prepared), headers: noStore }),
  }),
];
