// Benchmark profiles in the backoffice: one person writes and publishes them, another puts them in force.
import { created, ok } from '#core/http/answers.ts';
import { defaultLimit, keyInCursor, pageOf } from '#core/http/pages.ts';
import { cuidParams, Empty } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { createProfile, updateProfile } from './drafts.ts';
import { historyOf } from './history.ts';
import { presentProfile } from './present.ts';
import { activateProfile, preparePublication, publishProfile } from './publish.ts';
import {
  AuditPage,
  BenchmarkProfileView,
  ProfileAuditQuery,
  ProfileCreateBody,
  ProfileListQuery,
  ProfilePage,
  ProfileUpdateBody,
} from './schemas.ts';
import { findProfile, profileInPath } from './scopes.ts';
import { allProfiles } from './versions.ts';

const path = '/api/admin/benchmark-profiles';
const shared = { tag: 'standards', allow: ['SUPER_ADMIN'] as const };
const one = { params: cuidParams, scope: profileInPath } as const;
const changing = {
  ...shared,
  ...one,
  demo: 'blocked',
  answers: { 200: BenchmarkProfileView },
  errors: ['CONFLICT'],
} as const;
const publishing = { ...changing, method: 'post', body: Empty, errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'] } as const;

export const benchmarkProfileRoutes = [
  route({
    ...shared,
    method: 'get',
    path,
    operation: 'listBenchmarkProfiles',
    summary: 'Every version of every cell, and the drafts',
    scope: platformData,
    demo: 'read',
    query: ProfileListQuery,
    answers: { 200: ProfilePage },
    run: async ({ trx, query: { key, status, limit = defaultLimit, cursor }, now }) => {
      const [afterKey = '', afterVersion = 0] = keyInCursor(cursor, ['string', 'number']) ?? [];
      const rest = (await allProfiles(trx, now)).filter(
        (profile) =>
          (key ?? profile.key) === profile.key &&
          (status ?? profile.status) === profile.status &&
          (profile.key > afterKey || (profile.key === afterKey && profile.version < Number(afterVersion))),
      );
      return ok(pageOf(rest, limit, (profile) => [profile.key, profile.version], presentProfile));
    },
  }),
  route({
    ...shared,
    method: 'post',
    path,
    operation: 'createBenchmarkProfile',
    summary: 'Begin the next version of a cell',
    scope: platformData,
    demo: 'blocked',
    body: ProfileCreateBody,
    answers: { 201: BenchmarkProfileView },
    errors: ['CONFLICT'],
    run: async ({ services, trx, body, actor, now }) =>
      created(presentProfile(await findProfile(trx, await createProfile(services, trx, body, actor.userId, now), now))),
  }),
  route({
    ...shared,
    ...one,
    method: 'get',
    path: `${path}/:id`,
    operation: 'getBenchmarkProfile',
    summary: 'One version of a cell, or its draft',
    demo: 'read',
    answers: { 200: BenchmarkProfileView },
    run: async ({ scope }) => ok(presentProfile(scope)),
  }),
  route({
    ...changing,
    method: 'patch',
    path: `${path}/:id`,
    operation: 'updateBenchmarkProfile',
    summary: 'Change what a draft expects; its cell stays',
    body: ProfileUpdateBody,
    run: async ({ services, trx, scope, body, actor }) => {
      await updateProfile(services, trx, scope.id, body, actor.userId);
      return ok(presentProfile(await findProfile(trx, scope.id, services.clock.now())));
    },
  }),
  route({
    ...publishing,
    path: `${path}/:id/publish`,
    operation: 'publishBenchmarkProfile',
    heavy: true,
    summary: 'Freeze a draft as the next version of its rule document; it is not in force yet',
    prepare: async ({ services, trx, scope, now }) => preparePublication(services, trx, scope, now),
    run: async ({ services, trx, scope, actor, prepared }) => {
      await publishProfile(services, trx, scope, prepared, actor.userId);
      return ok(presentProfile(await findProfile(trx, scope.id, services.clock.now())));
    },
  }),
  route({
    ...publishing,
    path: `${path}/:id/activate`,
    operation: 'activateBenchmarkProfile',
    summary: 'Put a version that others wrote in force; they may restore the one that was in force before it',
    run: async ({ services, trx, scope, actor }) => {
      await activateProfile(services, trx, scope, actor.userId);
      return ok(presentProfile(await findProfile(trx, scope.id, services.clock.now())));
    },
  }),
  route({
    ...shared,
    ...one,
    method: 'get',
    path: `${path}/:id/audit`,
    operation: 'listBenchmarkAudit',
    summary: 'What happened to a version, oldest first',
    demo: 'read',
    query: ProfileAuditQuery,
    answers: { 200: AuditPage },
    run: async ({ trx, scope, query: { limit = defaultLimit, cursor } }) => {
      const from = Number(keyInCursor(cursor, ['number'])?.[0] ?? 0);
      const rest = (await historyOf(trx, scope)).map((entry, at) => ({ ...entry, next: at + 1 })).slice(from);
      return ok(
        pageOf(
          rest,
          limit,
          ({ next }) => [next],
          ({ next: _next, ...entry }) => entry,
        ),
      );
    },
  }),
];
