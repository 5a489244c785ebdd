// Routes for principals, managers and administrators who read a school or an organization. They count no children.
import { ok } from '#core/http/answers.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { organizationAt, schoolInReach } from '#identity/people/index.ts';
import { bundleParams } from '#support/interventions/index.ts';
import { readComparisons } from './comparisons.ts';
import { readEffect } from './effect.ts';
import { readOrganization } from './organization.ts';
import {
  BundleEffect,
  ComparisonsQuery,
  EffectQuery,
  OrganizationComparisons,
  OrganizationOverview,
  OrganizationTrends,
  OverviewQuery,
  orgParams,
  SchoolHeatmap,
  SchoolOverview,
  TrendsQuery,
} from './schemas.ts';
import { readHeatmap, readSchool } from './school.ts';
import { readTrends } from './trends.ts';

const reading = { method: 'get', tag: 'aggregates', demo: 'read', errors: ['ENGINE_UNAVAILABLE'] } as const;
const ofSchool = {
  ...reading,
  allow: ['VIEW_SCHOOL_AGGREGATES'],
  scope: schoolInReach,
  params: cuidParams,
} as const;
const ofOrganization = {
  ...reading,
  allow: ['VIEW_ORG_AGGREGATES'],
  scope: organizationAt('orgId'),
  params: orgParams,
} as const;

export const aggregateRoutes = [
  route({
    ...ofSchool,
    path: '/api/principal/schools/:id/overview',
    operation: 'getSchoolOverview',
    heavy: true,
    summary: 'A school in counts: who was measured, of whom enough is known, and the six tiles',
    query: OverviewQuery,
    answers: { 200: SchoolOverview },
    run: async (ctx) => ok(await readSchool(ctx, ctx.scope, ctx.query)),
  }),
  route({
    ...ofSchool,
    path: '/api/principal/schools/:id/heatmap',
    operation: 'getSchoolHeatmap',
    heavy: true,
    summary: 'The classes of a school by tile',
    answers: { 200: SchoolHeatmap },
    run: async (ctx) => ok(await readHeatmap(ctx, ctx.scope)),
  }),
  route({
    ...ofOrganization,
    path: '/api/orgs/:orgId/overview',
    operation: 'getOrganizationOverview',
    heavy: true,
    summary: 'An organization in released counts, and how many were measured by now',
    query: OverviewQuery,
    answers: { 200: OrganizationOverview },
    run: async (ctx) => ok(await readOrganization(ctx, ctx.scope, ctx.query)),
  }),
  route({
    ...ofOrganization,
    path: '/api/orgs/:orgId/comparisons',
    operation: 'getOrganizationComparisons',
    heavy: true,
    summary: 'The schools of an organization beside each other, in alphabetical order',
    query: ComparisonsQuery,
    answers: { 200: OrganizationComparisons },
    run: async (ctx) => ok(await readComparisons(ctx, ctx.scope, ctx.query)),
  }),
  route({
    ...ofOrganization,
    path: '/api/orgs/:orgId/trends',
    operation: 'getOrganizationTrends',
    heavy: true,
    summary: 'What was released of an organization, season by season',
    query: TrendsQuery,
    answers: { 200: OrganizationTrends },
    run: async (ctx) => ok(await readTrends(ctx, ctx.scope, ctx.query)),
  }),
  route({
    ...reading,
    allow: ['VIEW_SCHOOL_AGGREGATES', 'VIEW_ORG_AGGREGATES'],
    path: '/api/bundles/:bundle_id/effect',
    operation: 'getBundleEffect',
    heavy: true,
    summary: 'What came of completed plans of a bundle, in released counts of a school or an organization',
    scope: ownOrganization,
    params: bundleParams,
    query: EffectQuery,
    answers: { 200: BundleEffect },
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async (ctx) => ok(await readEffect(ctx, ctx.params.bundle_id, ctx.query)),
  }),
];
