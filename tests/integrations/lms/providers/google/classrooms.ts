// Organizations whose Classroom has one course, and what it says of who is in it.
import * as assert from 'uvu/assert';
import { buildClass } from '../../../../harness/factories.ts';
import type { TestApp } from '../../../../harness/http.ts';
import type { TestGoogle } from '../../../../harness/lms/google.ts';
import { buildTenant, type Tenant } from '../../../../harness/world.ts';
import { RosterAdmin } from '../../walk.ts';
import { classroomFlow, frontend } from './flow.ts';

export interface School {
  readonly tenant: Tenant;
  readonly admin: RosterAdmin;
  readonly connectionId: string;
}

const profile = (id: string, emailAddress?: string) => ({
  ...{ id, name: { givenName: 'سلمى', familyName: 'العتيبي' } },
  ...(emailAddress && { emailAddress }),
});
export const member = (userId: string, emailAddress?: string) => ({
  ...{ courseId: 'c-1', userId, profile: profile(userId, emailAddress) },
});

/** Of an app that asks this Google. */
export const classroomSettings = (google: TestGoogle) => ({
  ...google.settings,
  ...{ FRONTEND_URL: frontend, PORT: '3456', RATE_LIMIT_IP_PER_MINUTE: '100000' },
});

export function classrooms(app: TestApp, google: TestGoogle) {
  const flow = classroomFlow(app, google);
  return {
    /** What Classroom says from now on. */
    says(students: readonly object[], teachers: readonly object[] = []): void {
      google.api = (path) => {
        if (path === '/v1/courses') return { body: { courses: [{ id: 'c-1', name: 'لغتي', courseState: 'ACTIVE' }] } };
        if (path === '/v1/courses/c-1/students') return { body: { students } };
        return path === '/v1/courses/c-1/teachers' ? { body: { teachers } } : null;
      };
    },
    /** Connected, with its course mapped. */
    async connected(): Promise<School> {
      const tenant = await buildTenant(app);
      const { organizationId, school, people } = tenant;
      const { id: classId } = await buildClass(app.database.owner, { organizationId, schoolId: school.id, grade: 3 });
      const connectionId = (await flow.outcome(people.ADMIN.token)).get('connectionId') ?? '';
      const body = { mappings: [{ courseExternalId: 'c-1', classId }] };
      const { token } = people.ADMIN;
      assert.is((await app.post('/api/lms/google_classroom/mappings', body, { token })).status, 200);
      return { tenant, admin: new RosterAdmin(app, () => people.ADMIN), connectionId };
    },
  };
}
