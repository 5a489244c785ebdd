// Without the import of guardians their rows are not read at all: nothing of them is stored, and no preview shows them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant } from '../../harness/world.ts';
import { rosterSet } from './sets.ts';
import { RosterAdmin, reported } from './walk.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;

test('guardians, and who is whose, are neither stored nor shown', async () => {
  const tenant = await buildTenant(app);
  const { organizationId, school } = tenant;
  const { id: classId } = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3 });
  const admin = new RosterAdmin(app, () => tenant.people.ADMIN);
  const { body } = await admin.upload(
    rosterSet({
      classes: [{ id: 'A', title: 'الأول' }],
      people: [
        { id: 's1', agents: 'mother-1' },
        { id: 'mother-1', role: 'guardian', given: 'أمل', email: 'amal@home.example', agents: 's1' },
        { id: 'father-1', role: 'parent', given: 'خالد', agents: 's1' },
        { id: 'aunt-1', role: 'relative', given: 'سعاد' },
      ],
      enrolled: [
        { course: 'A', person: 's1' },
        { course: 'A', person: 'mother-1', role: 'guardian' },
      ],
    }),
  );
  await admin.map({ A: classId });
  const preview = await admin.preview(body.id);
  assert.equal(reported(preview), ['student s1: create/new_person', 'enrollment s1@A: create/new_enrollment']);
  assert.equal(preview.warnings, []);
  const stored = JSON.stringify(await owner('lms_source_row').where({ organizationId }));
  assert.match(stored, /"s1"/);
  assert.not.match(stored, /mother-1|father-1|aunt-1|أمل|خالد|سعاد|amal@home/);
});

test.run();
