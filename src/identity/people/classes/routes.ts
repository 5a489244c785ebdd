// Routes of classes, their teachers and their students.
import Type from 'typebox';
import { created, noContent, ok } from '#core/http/answers.ts';
import { IntegerIdText, idParams, NoContent, object, page, pageQuery } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { enterOrganization } from '../reach/enter.ts';
import { classInOrganization, classInReach } from '../reach/scopes.ts';
import { School, type SchoolClass } from '../records/organizations.ts';
import { attachTeacher, detachTeacher, teachersOf } from './class-teachers.ts';
import { createClass, deleteClass, updateClass } from './classes.ts';
import { enroll, removeFromClass } from './enrollment.ts';
import { presentClass } from './present.ts';
import { listClasses, listClassStudents } from './queries.ts';
import {
  AttachTeacherBody,
  ClassBody,
  ClassListQuery,
  ClassPatch,
  ClassView,
  EnrollBody,
  StudentView,
} from './schemas.ts';

const tag = 'tenancy';

const withTeachers = async (trx: Trx, row: SchoolClass) =>
  presentClass(row, (await teachersOf(trx, [row.id])).get(row.id) ?? []);

export const classRoutes = [
  route({
    method: 'post',
    path: '/api/classes',
    operation: 'createClass',
    summary: 'Create a class in a school',
    tag,
    allow: ['MANAGE_ORG'],
    scope: ownOrganization,
    demo: 'blocked',
    body: ClassBody,
    answers: { 201: ClassView },
    errors: ['NOT_FOUND'],
    run: async (ctx) => {
      const school = await School.query(ctx.trx).findById(ctx.body.schoolId);
      if (!school) throw notFound();
      await enterOrganization(ctx, school.organizationId);
      return created(await withTeachers(ctx.trx, await createClass(ctx.trx, school, ctx.body, ctx.now)));
    },
  }),
  route({
    method: 'get',
    path: '/api/classes',
    operation: 'listClasses',
    summary: 'Classes in reach',
    tag,
    allow: ['VIEW_OWN_CLASSES', 'VIEW_SCHOOL_AGGREGATES'],
    scope: ownOrganization,
    demo: 'read',
    query: ClassListQuery,
    answers: { 200: page(ClassView) },
    run: async ({ trx, actor, query }) => ok(await listClasses(trx, actor, query)),
  }),
  route({
    method: 'get',
    path: '/api/classes/:id',
    operation: 'getClass',
    summary: 'One class with its teachers',
    tag,
    allow: ['VIEW_OWN_CLASSES', 'VIEW_SCHOOL_AGGREGATES'],
    scope: classInReach(['TEACHER', 'PRINCIPAL', 'ADMIN', 'MANAGER']),
    demo: 'read',
    params: idParams,
    answers: { 200: ClassView },
    run: async ({ trx, scope }) => ok(await withTeachers(trx, scope)),
  }),
  route({
    method: 'patch',
    path: '/api/classes/:id',
    operation: 'updateClass',
    summary: 'Change a class; a new grade re-evaluates its students',
    tag,
    allow: ['MANAGE_ORG'],
    scope: classInOrganization,
    demo: 'blocked',
    params: idParams,
    body: ClassPatch,
    answers: { 200: ClassView },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, body, now }) => ok(await withTeachers(trx, await updateClass(trx, scope, body, now))),
  }),
  route({
    method: 'delete',
    path: '/api/classes/:id',
    operation: 'deleteClass',
    summary: 'Remove a class without students; one with history is archived',
    tag,
    allow: ['MANAGE_ORG'],
    scope: classInOrganization,
    demo: 'blocked',
    params: idParams,
    answers: { 204: NoContent },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, now }) => {
      await deleteClass(trx, scope, now);
      return noContent();
    },
  }),
];

export const classPeopleRoutes = [
  route({
    method: 'post',
    path: '/api/classes/:id/teachers',
    operation: 'attachTeacher',
    summary: 'Add a teacher to a class; the first becomes PRIMARY',
    tag,
    allow: ['MANAGE_ROSTER'],
    scope: classInOrganization,
    demo: 'blocked',
    params: idParams,
    body: AttachTeacherBody,
    answers: { 201: ClassView },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, body }) => {
      await attachTeacher(trx, scope, body.teacherUserId);
      return created(await withTeachers(trx, scope));
    },
  }),
  route({
    method: 'delete',
    path: '/api/classes/:id/teachers/:teacherUserId',
    operation: 'detachTeacher',
    summary: 'Remove a teacher from a class; the earliest SECONDARY follows a PRIMARY',
    tag,
    allow: ['MANAGE_ROSTER'],
    scope: classInOrganization,
    demo: 'blocked',
    params: object({ id: IntegerIdText, teacherUserId: IntegerIdText }),
    answers: { 204: NoContent },
    run: async ({ trx, scope, params }) => {
      await detachTeacher(trx, scope, Number(params.teacherUserId));
      return noContent();
    },
  }),
  route({
    method: 'post',
    path: '/api/classes/:id/students',
    operation: 'enrollStudents',
    summary: 'Enroll students; one of another class moves',
    tag,
    allow: ['MANAGE_ROSTER'],
    scope: classInOrganization,
    demo: 'blocked',
    params: idParams,
    body: EnrollBody,
    answers: { 201: object({ enrolled: Type.Integer() }) },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, body, now }) => {
      await enroll(trx, scope, body.studentIds, now);
      return created({ enrolled: body.studentIds.length });
    },
  }),
  route({
    method: 'get',
    path: '/api/classes/:id/students',
    operation: 'listClassStudents',
    summary: 'Students enrolled in a class now',
    tag,
    allow: ['VIEW_OWN_CLASSES'],
    scope: classInReach(),
    demo: 'read',
    params: idParams,
    query: object(pageQuery),
    answers: { 200: page(StudentView) },
    run: async ({ trx, scope, query }) => ok(await listClassStudents(trx, scope.id, query)),
  }),
  route({
    method: 'delete',
    path: '/api/classes/:id/students/:studentId',
    operation: 'removeStudentFromClass',
    summary: 'End a student’s enrollment in a class',
    tag,
    allow: ['MANAGE_ROSTER'],
    scope: classInOrganization,
    demo: 'blocked',
    params: object({ id: IntegerIdText, studentId: IntegerIdText }),
    answers: { 204: NoContent },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, params, now }) => {
      await removeFromClass(trx, scope, Number(params.studentId), now);
      return noContent();
    },
  }),
];
