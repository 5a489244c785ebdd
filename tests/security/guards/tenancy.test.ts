// timeout: 180s
// Removes one by one the guards that separate organizations, classes and persons.
import { test } from 'uvu';
import type { Answer } from '#core/http/answers.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { password } from '../../harness/factories.ts';
import type { HttpClient } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { buildWorld, type World } from '../../harness/world.ts';
import { inParallel, noGeneralLimits } from '../support.ts';
import { accepted, type Fault, only, plant } from './harness.ts';

const app = useApp(test, { settings: noGeneralLimits, ownStatements: true });
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

const admin = () => world.own.people.ADMIN;

const foreignClassIsAbsent = async (client: HttpClient) =>
  (await client.get(`/api/classes/${world.other.classRow.id}`, { token: admin().token })).status === 404;

/** Sends a statement for the classes of all organizations, which the service never does. */
const seesOwnClassesOnly = () =>
  inContext(app.services.db, { organizationId: world.own.organizationId }, async (trx) => {
    const { rows } = await trx.raw<{ rows: { organization_id: string }[] }>('select organization_id from class');
    return rows.length > 0 && rows.every((row) => row.organization_id === world.own.organizationId);
  });

/** Runs as the run-time role in the context of the own organization. */
const isRefused = async (work: (trx: Trx) => PromiseLike<unknown>) =>
  !(await accepted(app, { context: { organizationId: world.own.organizationId } }, work));

const classIn = ({ organizationId, school }: World['own']) => ({
  ...{ organizationId, schoolId: school.id, name: '9Z', grade: 1, academicYear: '2025-2026', createdAt: new Date(0) },
});

const enrollment = (studentId: number) => ({
  ...{
    organizationId: world.own.organizationId,
    classId: world.own.classRow.id,
    enrolledFrom: '2025-09-01',
    studentId,
  },
});

const teaching = (role: string, teacherUserId: number) => ({
  ...{ organizationId: world.own.organizationId, classId: world.own.classRow.id, role, teacherUserId },
});

const faults: readonly Fault[] = [
  {
    name: 'the tenant context of a request (row-level security alone is left)',
    holds: foreignClassIsAbsent,
    without: {
      wiring: (parts) => ({
        ...parts,
        verifyToken: async (authorization, now) => ({
          ...(await parts.verifyToken(authorization, now)),
          organizationId: null,
        }),
      }),
    },
  },
  {
    name: 'row-level security of a table (the context alone is left)',
    holds: seesOwnClassesOnly,
    without: {
      database: ['alter table class disable row level security', 'alter table class enable row level security'],
    },
  },
  {
    name: 'the policy of a table allows every read',
    holds: seesOwnClassesOnly,
    without: { database: ['create policy open_door on class using (true)', 'drop policy open_door on class'] },
  },
  {
    name: 'the policy of a table allows writes of foreign rows',
    holds: () => isRefused((trx) => trx('class').insert(classIn(world.other))),
    without: {
      database: ['create policy open_door on class for insert with check (true)', 'drop policy open_door on class'],
    },
  },
  {
    name: 'the composite key that keeps a row’s people in its organization',
    holds: () => isRefused((trx) => trx('enrollment').insert(enrollment(world.other.people.STUDENT.id))),
    without: {
      database: [
        'alter table enrollment drop constraint enrollment_organization_id_student_id_fkey',
        `alter table enrollment add constraint enrollment_organization_id_student_id_fkey
           foreign key (organization_id, student_id) references app_user (organization_id, id)`,
      ],
    },
  },
  {
    name: 'the index of one open enrollment a student',
    holds: () => isRefused((trx) => trx('enrollment').insert(enrollment(world.own.people.STUDENT.id))),
    without: {
      database: [
        'drop index enrollment_one_open',
        `create unique index enrollment_one_open on enrollment (organization_id, student_id)
           where enrolled_to is null`,
      ],
    },
  },
  {
    name: 'the index of one primary teacher a class',
    holds: () =>
      isRefused((trx) => trx('class_teacher').insert(teaching('PRIMARY', world.own.people['TEACHER elsewhere'].id))),
    without: {
      database: [
        'drop index class_teacher_one_primary',
        `create unique index class_teacher_one_primary on class_teacher (organization_id, class_id)
           where role = 'PRIMARY'`,
      ],
    },
  },
  {
    name: 'the unique index behind a guarded insert',
    holds: async (client) => {
      const email = `${newId()}@example.org`;
      const { organizationId } = world.own;
      const body = { primaryPersona: 'MANAGER', fullNameAr: 'مدير', email, password, organizationId };
      await inParallel(10, () => client.post('/api/users', body, { token: admin().token }));
      const made = await owner('app_user').where({ email }).select('id');
      await owner('sign_in_name').where({ email }).delete();
      await owner('app_user').where({ email }).update({ email: null, status: 'deleted' });
      return made.length === 1;
    },
    without: {
      database: [
        'alter table sign_in_name drop constraint sign_in_name_pkey',
        'alter table sign_in_name add constraint sign_in_name_pkey primary key (email)',
      ],
    },
  },
  {
    name: 'the permission of a route',
    holds: async (client) => {
      const { token } = world.own.people.TEACHER;
      const input = { organizationId: world.own.organizationId, name: 'by a teacher', country: 'SA' };
      return (await client.post('/api/schools', input, { token })).status === 403;
    },
    without: { routes: only('createSchool', (route) => ({ ...route, allow: 'signed in' })) },
  },
  {
    name: 'the reach of a scope',
    holds: async (client) => {
      const { token } = world.own.people['TEACHER elsewhere'];
      return (await client.get(`/api/classes/${world.own.classRow.id}`, { token })).status === 403;
    },
    without: {
      routes: only('getClass', (route) => ({
        ...route,
        resolve: async () => ({ row: world.own.classRow }),
        run: shownClass,
      })),
    },
  },
  {
    name: 'the demo block',
    holds: async (client) => {
      const { organizationId, people } = world.demo;
      const path = `/api/organizations/${organizationId}`;
      return (await client.patch(path, { name: 'Changed' }, { token: people.ADMIN.token })).status === 403;
    },
    without: { routes: only('updateOrganization', (route) => ({ ...route, demo: 'loop' })) },
  },
];

async function shownClass({ scope }: { scope: { id: number; schoolId: string } }): Promise<Answer> {
  const { id, schoolId } = scope;
  const rest = { name: 'x', grade: 1, academicYear: '2025-2026', archivedAt: null, teachers: [] };
  return { status: 200, body: { id, schoolId, ...rest } };
}

plant(test, app, faults);

test.run();
