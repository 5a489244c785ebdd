// A school with two classes of the third grade whose administrator imports rosters: the world of tests about commits and reverts.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass } from '../../harness/factories.ts';
import { type AppOptions, type TestApp, useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { type Roster, rosterSet } from './sets.ts';
import { type Preview, RosterAdmin } from './walk.ts';

/** Courses, as they are mapped to the two classes. */
export const courses = [
  { id: 'A', title: 'الأول' },
  { id: 'B', title: 'الثاني' },
];

/** A new school before each test; rosters may bring addresses that other persons had in an earlier test. */
export function useSchool(test: Test, { addresses = [], ...options }: AppOptions & { addresses?: string[] } = {}) {
  const app = useApp(test, { rules: true, ...options });
  const school = new School(app);
  test.before.each(async () => {
    await app.database.owner('sign_in_name').whereIn('email', addresses).delete();
    await school.begin();
  });
  return school;
}

class School {
  readonly app: TestApp;
  readonly admin: RosterAdmin;
  tenant!: Tenant;
  /** Ids of the classes. */
  first = 0;
  second = 0;

  constructor(app: TestApp) {
    this.app = app;
    this.admin = new RosterAdmin(app, () => this.tenant.people.ADMIN);
  }

  get owner() {
    return this.app.database.owner;
  }

  async begin(): Promise<void> {
    this.tenant = await buildTenant(this.app);
    const { organizationId, school } = this.tenant;
    const made = { organizationId, schoolId: school.id, grade: 3 };
    this.first = (await buildClass(this.owner, made)).id;
    this.second = (await buildClass(this.owner, made)).id;
  }

  /** Answers the id of the connection; nothing is imported yet. */
  async connect(roster: Roster): Promise<string> {
    const { body } = await this.admin.upload(rosterSet(roster));
    await this.admin.map({ A: this.first, B: this.second });
    return body.id;
  }

  /** The same, and everything is imported. */
  async imported(roster: Roster): Promise<string> {
    const id = await this.connect(roster);
    await this.commit(id);
    return id;
  }

  /** What another roster would do. */
  async again(connectionId: string, roster: Roster): Promise<Preview> {
    await this.admin.upload(rosterSet(roster));
    return this.admin.preview(connectionId);
  }

  /** What the stored set would do is done. Answers the id of the run. */
  async commit(connectionId: string): Promise<string> {
    const { previewId } = await this.admin.preview(connectionId);
    return this.commitPreview(previewId);
  }

  async commitPreview(previewId: string): Promise<string> {
    const { status, body } = await this.admin.commit(previewId);
    assert.is(status, 200, JSON.stringify(body));
    return this.runOf(previewId);
  }

  async runOf(previewId: string): Promise<string> {
    type Runs = { items: { syncRunId: string; previewId: string }[] };
    const { body } = await this.app.get<Runs>('/api/lms/sync-runs', this.admin.token);
    return body.items.find((run) => run.previewId === previewId)?.syncRunId ?? '';
  }

  revert(runId: string, body: object = {}) {
    return this.app.post<Record<string, unknown>>(`/api/lms/sync-runs/${runId}/revert`, body, this.admin.token);
  }

  /** The account that is linked to what the source calls the person. */
  async userOf(subject: string) {
    const { organizationId } = this.tenant;
    const link = await this.owner('external_identity')
      .where({ organizationId, provider: 'oneroster', subject })
      .first();
    return link && this.owner('app_user').where({ organizationId, id: link.userId }).first();
  }

  /** The account that imports remember, linked or not. */
  async knownAs(externalId: string) {
    const { organizationId } = this.tenant;
    const known = await this.owner('lms_person').where({ organizationId, externalId }).first('userId');
    return known && this.owner('app_user').where({ organizationId, id: known.userId }).first();
  }

  async openClass(studentId: number): Promise<number | null> {
    const { organizationId } = this.tenant;
    const open = await this.owner('enrollment').where({ organizationId, studentId, enrolledTo: null }).first('classId');
    return open?.classId ?? null;
  }

  /** In the order of attachment. */
  async teachersOf(classId: number): Promise<{ teacherUserId: number; role: string; position: number }[]> {
    const { organizationId } = this.tenant;
    return this.owner('class_teacher')
      .where({ organizationId, classId })
      .orderBy('position')
      .select('teacherUserId', 'role', 'position');
  }
}
