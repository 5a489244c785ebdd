// Names on papers are told apart among everybody who is in the class, not only among those who are on the paper.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { namesOnPaper } from '#identity/people/index.ts';
import { buildClass, buildStudent, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';

const test = suite('names on papers');
const app = useApp(test);

test('of two with one folded name each keeps the same letter, alone or together; staff see the number of the school', async () => {
  const { owner } = app.database;
  const classRow = await buildClass(owner);
  const { organizationId } = classRow;
  const named = async (fullNameAr: string, overrides = {}) =>
    (await buildStudent(owner, classRow, { fullNameAr, ...overrides })).id;
  const first = await named('أحمد علي الحربي', { externalId: 'S-7' });
  const second = await named('احمد  على الحربي', { externalId: 'S-8' });
  const third = await named('أَحْمَد علي الحربي');
  const other = await named('أحمد علي القرني', { externalId: 'S-9' });
  const gone = await named('أحمد علي القرني');
  await owner('enrollment').where({ studentId: gone }).update({ enrolledTo: '2026-01-01' });
  const elsewhere = await buildStudent(owner, await buildClass(owner, { organizationId }), {
    fullNameAr: 'أحمد علي الحربي',
  });
  const nowhere = await buildUser(owner, 'STUDENT', { organizationId, fullNameAr: 'أحمد علي الحربي' });

  const expected = new Map([
    [first, ['أحمد علي الحربي (أ)', 'أحمد علي الحربي (أ) – S-7']],
    [second, ['احمد على الحربي (ب)', 'احمد على الحربي (ب) – S-8']],
    [third, ['أَحْمَد علي الحربي (ج)', 'أَحْمَد علي الحربي (ج)']],
    [other, ['أحمد علي القرني', 'أحمد علي القرني']],
    [elsewhere.id, ['أحمد علي الحربي', 'أحمد علي الحربي']],
    [nowhere.id, ['أحمد علي الحربي', 'أحمد علي الحربي']],
  ]);
  const read = (ids: readonly number[]) => owner.transaction((trx) => namesOnPaper(trx, organizationId, ids));
  const together = await read([...expected.keys()]);
  for (const [id, names] of expected) {
    const alone = await read([id]);
    for (const found of [together.get(id), alone.get(id)])
      assert.equal(
        [found?.fullNameAr, found?.staffNameAr].map((name) => name?.normalize('NFC')),
        names.map((name) => name.normalize('NFC')),
      );
  }
});

test.run();
