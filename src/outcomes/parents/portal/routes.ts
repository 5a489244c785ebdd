// What parents read of their children. Everything is said and checked where no transaction is open, and sent only if the
// child is still theirs then.
import type { TSchema } from 'typebox';
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import type { Services } from '#core/module/services.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { guarded } from '../alerts.ts';
import { childrenOf, linkedChildren } from '../facts/children.ts';
import { finishedDiagnostics } from '../facts/measured.ts';
import { familyFacts, growingOf, type Reading, rulesAt } from '../facts/read.ts';
import { voiceOf } from '../voice.ts';
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

interface Asking extends Reading {
  readonly services: Services;
}

/** Throws ENGINE_UNAVAILABLE without rules for families. */
async function speaking({ services, trx, now }: Asking) {
  const rules = await rulesAt({ services, trx, now });
  return { rules, voices: voiceOf(rules.bundle), reading: { services, trx, now } };
}

const whose = ({ id, organizationId, timeZone }: StudentInScope) => ({ organizationId, timeZone, studentIds: [id] });

/** Said outside of the transaction, as `guarded` holds it against its schema. */
const saying =
  <T>({ services }: Asking, operation: string, schema: TSchema, versions: object, say: () => T) =>
  (): Promise<T> =>
    guarded(services, { operation, versions }, schema, say);

export const portalRoutes = [
  route({
    ...reading,
    path: '/api/parent/children',
    operation: 'listChildren',
    summary: 'The linked children of a parent, in the order in which they were linked',
    scope: anySignedIn,
    answers: { 200: ChildList },
    prepare: async (ctx) => {
      const { actor, trx } = ctx;
      const { rules, voices } = await speaking(ctx);
      const { organizationId, userId: parentUserId } = actor;
      const children = organizationId === null ? [] : await linkedChildren(trx, { organizationId, parentUserId });
      return saying(ctx, 'listChildren', ChildList, rules.bundle.versions, () => presentChildren(children, voices));
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
      const { rules, voices } = await speaking(ctx);
      const found = await finishedDiagnostics(trx, scope, mostDiagnostics);
      return saying(ctx, 'listChildDiagnostics', ChildDiagnostics, rules.bundle.versions, () =>
        presentDiagnostics(rules, voices(''), found, scope.timeZone),
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
      const { rules, voices, reading } = await speaking(ctx);
      const [[child], growing] = await Promise.all([
        childrenOf(trx, scope.organizationId, [scope.id]),
        growingOf(reading, rules, whose(scope)),
      ]);
      const grown = { ...growing(scope.id), grade: child?.grade ?? null };
      return saying(ctx, 'getChildGrowth', ChildGrowth, rules.bundle.versions, () =>
        presentGrowth(rules, voices(''), grown),
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
      const { rules, voices, reading } = await speaking(ctx);
      const [child] = await familyFacts(reading, rules, whose(scope), window);
      if (!child) throw new RangeError('a child in scope is not known');
      return saying(ctx, 'getChildRecommendations', ChildRecommendations, rules.bundle.versions, () =>
        presentRecommendations(rules, voices(child.fullNameAr), child, window),
      );
    },
    run: async ({ prepared }) => ({ ...ok(prepared), headers: noStore }),
  }),
];
