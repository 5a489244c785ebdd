// timeout: 240s
// A school of 200 classes and 6,000 students rolls over in a number of statements that depends on neither, and so does its undo.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../../harness/http.ts';
import { sentStatements } from '../../../harness/statements/sent-statements.ts';
import { type RollingSchool, rollingSchool, september } from './school.ts';

const test = suite('roll-over of a large school');
const app = useApp(test, { rules: true, ownEntries: true });
const { owner } = app.database;

/** `grade` is 1 to 4 in turn. */
async function filled(classes: number, studentsOfClass: number): Promise<RollingSchool> {
  app.clock.set(september);
  const at = await rollingSchool(app);
  const key = { organizationId: at.organizationId, schoolId: at.school.id };
  await owner.raw(
    `insert into class (organization_id, school_id, name, grade, academic_year, created_at)
     select :organizationId, :schoolId, 'فصل ' || n, 1 + n % 4, '2025-2026', '2025-08-01'
     from generate_series(1, :classes::integer) n`,
    { ...key, classes },
  );
  await owner.raw(
    `with person as (
       insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
       select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', '2025-08-01' from generate_series(1, :count::integer)
       returning id),
     numbered as (select id, row_number() over (order by id) - 1 as position from person),
     home as (select id, row_number() over (order by id) - 1 as position from class
       where organization_id = :organizationId)
     insert into enrollment (organization_id, student_id, class_id, enrolled_from)
     select :organizationId, n.id, h.id, '2025-08-31' from numbered n
     join home h on h.position = n.position % :classes`,
    { organizationId: at.organizationId, classes, count: classes * studentsOfClass },
  );
  return at;
}

async function measured(classes: number, studentsOfClass: number) {
  const at = await filled(classes, studentsOfClass);
  let rollOverId: number | null = null;
  const rolled = await sentStatements(app.database.app, async () => {
    const { status, body } = await at.rollOver();
    assert.is(status, 201);
    rollOverId = body.rollOverId;
    assert.is(body.leaving, (classes / 4) * studentsOfClass);
  });
  const undone = await sentStatements(app.database.app, async () => {
    const { status } = await at.undo(rollOverId);
    assert.is(status, 200);
  });
  return { rolled: rolled.length, undone: undone.length };
}

test('200 classes of 30 need as many statements as 8 classes of 3', async () => {
  const small = await measured(8, 3);
  const large = await measured(200, 30);
  // Rows of one statement are written in pieces of a fixed size.
  assert.ok(large.rolled <= small.rolled + 6, `${large.rolled} and ${small.rolled}`);
  assert.ok(large.undone <= small.undone + 6, `${large.undone} and ${small.undone}`);
});

test.run();
