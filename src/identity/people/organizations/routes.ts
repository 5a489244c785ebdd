// Routes of organizations and schools.
import { created, noContent, ok } from '#core/http/answers.ts';
import { cuidParams, NoContent, object, page, pageQuery } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization, platformData } from '#core/module/scopes.ts';
import { enterOrganization } from '../reach/enter.ts';
import { organizationInPath, schoolInOrganization } from '../reach/scopes.ts';
import { createOrganization, createSchool, deleteSchool, updateOrganization, updateSchool } from './organizations.ts';
import { presentOrganization, presentSchool } from './present.ts';
import { listOrganizations, listSchools } from './queries.ts';
import {
  OrganizationBody,
  OrganizationPatch,
  OrganizationView,
  SchoolBody,
  SchoolListQuery,
  SchoolPatch,
  SchoolView,
} from './schemas.ts';

const tag = 'tenancy';

export const organizationRoutes = [
  route({
    method: 'post',
    path: '/api/organizations',
    operation: 'createOrganization',
    summary: 'Create an organization',
    tag,
    allow: ['SUPER_ADMIN'],
    scope: platformData,
    demo: 'blocked',
    body: OrganizationBody,
    answers: { 201: OrganizationView },
    errors: ['CONFLICT'],
    run: async ({ trx, body, now }) => created(presentOrganization(await createOrganization(trx, body, now))),
  }),
  route({
    method: 'get',
    path: '/api/organizations',
    operation: 'listOrganizations',
    summary: 'List all organizations',
    tag,
    allow: ['SUPER_ADMIN'],
    scope: platformData,
    demo: 'read',
    query: object(pageQuery),
    answers: { 200: page(OrganizationView) },
    run: async ({ trx, query }) => ok(await listOrganizations(trx, query)),
  }),
  route({
    method: 'get',
    path: '/api/organizations/:id',
    operation: 'getOrganization',
    summary: 'One organization with its calendar and settings',
    tag,
    allow: ['MANAGE_ORG', 'VIEW_ORG_AGGREGATES'],
    scope: organizationInPath,
    demo: 'read',
    params: cuidParams,
    answers: { 200: OrganizationView },
    run: async ({ scope }) => ok(presentOrganization(scope)),
  }),
  route({
    method: 'patch',
    path: '/api/organizations/:id',
    operation: 'updateOrganization',
    summary: 'Change an organization; its slug and country stay',
    tag,
    allow: ['MANAGE_ORG'],
    scope: organizationInPath,
    demo: 'blocked',
    params: cuidParams,
    body: OrganizationPatch,
    answers: { 200: OrganizationView },
    run: async ({ trx, scope, body, now }) => ok(presentOrganization(await updateOrganization(trx, scope, body, now))),
  }),
];

export const schoolRoutes = [
  route({
    method: 'post',
    path: '/api/schools',
    operation: 'createSchool',
    summary: 'Create a school in an organization',
    tag,
    allow: ['MANAGE_ORG'],
    scope: ownOrganization,
    demo: 'blocked',
    body: SchoolBody,
    answers: { 201: SchoolView },
    errors: ['NOT_FOUND'],
    run: async (ctx) => {
      const organization = await enterOrganization(ctx, ctx.body.organizationId);
      return created(presentSchool(await createSchool(ctx.trx, organization, ctx.body, ctx.now)));
    },
  }),
  route({
    method: 'get',
    path: '/api/schools',
    operation: 'listSchools',
    summary: 'Schools in reach',
    tag,
    allow: ['VIEW_OWN_CLASSES', 'VIEW_SCHOOL_AGGREGATES'],
    scope: ownOrganization,
    demo: 'read',
    query: SchoolListQuery,
    answers: { 200: page(SchoolView) },
    run: async ({ trx, actor, query }) => ok(await listSchools(trx, actor, query)),
  }),
  route({
    method: 'patch',
    path: '/api/schools/:id',
    operation: 'updateSchool',
    summary: 'Change a school; null takes the organization’s value',
    tag,
    allow: ['MANAGE_ORG'],
    scope: schoolInOrganization,
    demo: 'blocked',
    params: cuidParams,
    body: SchoolPatch,
    answers: { 200: SchoolView },
    run: async ({ trx, scope, body, now }) => ok(presentSchool(await updateSchool(trx, scope, body, now))),
  }),
  route({
    method: 'delete',
    path: '/api/schools/:id',
    operation: 'deleteSchool',
    summary: 'Remove a school without classes',
    tag,
    allow: ['MANAGE_ORG'],
    scope: schoolInOrganization,
    demo: 'blocked',
    params: cuidParams,
    answers: { 204: NoContent },
    errors: ['CONFLICT'],
    run: async ({ trx, scope }) => {
      await deleteSchool(trx, scope);
      return noContent();
    },
  }),
];
