// Selection of evidence: the school year in the organization's time zone, and the newest sessions of each sub-skill.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { selectWindow } from '#assessment/skill-status/engine/evidence/window.ts';
import { schoolYearOf } from '#rules/catalogue/engine/school-year.ts';
import { pipeline } from '../rules.ts';
import { input, type Student } from '../students.ts';

const start = pipeline.catalogue.schoolYearStart;
const moments = [
  ['2026-01-31T08:00:00.000Z', 'Asia/Riyadh', '2025-2026', '2025-07-31T21:00:00.000Z'],
  ['2025-07-31T20:59:59.999Z', 'Asia/Riyadh', '2024-2025', '2024-07-31T21:00:00.000Z'],
  ['2025-07-31T21:00:00.000Z', 'Asia/Riyadh', '2025-2026', '2025-07-31T21:00:00.000Z'],
  ['2025-08-01T03:59:59.999Z', 'America/New_York', '2024-2025', '2024-08-01T04:00:00.000Z'],
  ['2025-12-31T23:30:00.000Z', 'Africa/Cairo', '2025-2026', '2025-07-31T21:00:00.000Z'],
  ['2026-03-01T00:00:00.000Z', 'UTC', '2025-2026', '2025-08-01T00:00:00.000Z'],
] as const;
for (const [asOf, timeZone, name, from] of moments) {
  test(`school year of ${asOf} in ${timeZone} is ${name}`, () => {
    assert.equal(schoolYearOf(asOf, timeZone, start), { name, from });
  });
}

const january = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
const select = (student: Student, window = january) => selectWindow(input(student), window, pipeline);
const kept = (student: Student, window = january) => select(student, window).sessions.map((one) => one.sessionId);

test('DTH-WIN-01: three newest sessions of a sub-skill', () => {
  assert.equal(kept({ evidence: { LK_SOUND: 'd01 C d02 C d03 C d04 C' } }), ['d02', 'd03', 'd04']);
});

test('DTH-WIN-01: counted for each sub-skill by itself', () => {
  const evidence = { LK_SOUND: 'd01 C d02 C d03 C d04 C', LK_FORM: 'd01 CC' };
  const { responses } = select({ evidence });
  assert.equal(
    responses.map((one) => `${one.sessionId} ${one.subSkillCode}`),
    ['d01 LK_FORM', 'd01 LK_FORM', 'd02 LK_SOUND', 'd03 LK_SOUND', 'd04 LK_SOUND'],
  );
});

test('DTH-WIN-01: a session without a scored response is not counted', () => {
  assert.equal(kept({ evidence: { LK_SOUND: 'd01 C d02 C d03 NV d04 C' } }), ['d01', 'd02', 'd04']);
});

test('DTH-WIN-01: equal ends are ordered by session id', () => {
  assert.equal(kept({ evidence: { LK_SOUND: 'd05 C p05 C o05 C d04 C' } }), ['d05', 'o05', 'p05']);
  assert.equal(kept({ evidence: { LK_SOUND: 'p05 C d05 C d06 C d07 C' } }), ['p05', 'd06', 'd07']);
});

test('a sub-skill that was only tried keeps all its responses', () => {
  assert.equal(kept({ evidence: { LK_SOUND: 'd01 N d02 N d03 N d04 V' } }), ['d01', 'd02', 'd03', 'd04']);
});

test('the window includes both its ends and nothing beyond', () => {
  const evidence = { LK_SOUND: 'd09 C d10 C d11 C d12 C' };
  const window = { from: '2026-01-10T09:00:00.000Z', to: '2026-01-11T09:00:00.000Z' };
  assert.equal(kept({ evidence }, window), ['d10', 'd11']);
  assert.equal(kept({ evidence }, { from: '2026-01-10T09:00:00.001Z', to: '2026-01-11T08:59:59.999Z' }), []);
});

test('the selection does not depend on the given order', () => {
  const student = { evidence: { LK_SOUND: 'd04 C d01 C d03 C d02 C', LK_FORM: 'd03 CC' } };
  const given = input(student);
  const reversed = selectWindow({ ...given, sessions: given.sessions.toReversed() }, january, pipeline);
  assert.equal(reversed, select(student));
});

test.run();
