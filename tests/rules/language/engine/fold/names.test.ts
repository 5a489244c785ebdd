// timeout: 120s
// A name folds to the same text in the process and in the database.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { foldName } from '#rules/language/engine/index.ts';
import { useDatabase } from '../../../../harness/database.ts';

const { owner } = useDatabase(test);

async function foldedInDatabase(names: readonly string[]): Promise<string[]> {
  const { rows } = await owner.raw(
    'select array(select fold_name(name) from unnest(?::text[]) with ordinality as t (name, at) order by at) as folded',
    [[...names]],
  );
  return rows[0].folded;
}

const isText = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{Cc}\p{Cf}]$/u;
const lastCodePoint = 0x10_ffff;
const batch = 20_000;

/** The database may have older tables of decompositions: characters of a year that it does not know stay whole there. */
async function knownToBoth(characters: readonly string[]): Promise<string[]> {
  const { rows } = await owner.raw(
    'select array(select normalize(c, NFKD) from unnest(?::text[]) with ordinality as t (c, at) order by at) as decomposed',
    [[...characters]],
  );
  return characters.filter((character, at) => rows[0].decomposed[at] === character.normalize('NFKD'));
}

test('every character folds alike', async () => {
  const characters = Array.from({ length: lastCodePoint }, (_, at) => at + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => isText.test(character));
  assert.ok(characters.length > 150_000);
  for (let at = 0; at < characters.length; at += batch) {
    const known = await knownToBoth(characters.slice(at, at + batch));
    assert.ok(known.length > 0.99 * Math.min(batch, characters.length - at));
    const names = known.map((character) => `ا${character}b`);
    const folded = await foldedInDatabase(names);
    const differing = names.filter((name, index) => folded[index] !== foldName(name));
    assert.equal(
      differing.map((name) => [...name].map((part) => part.codePointAt(0)?.toString(16))),
      [],
    );
  }
});

const names: readonly (readonly [string, string])[] = [
  ['أَحْمَد  الاخـتبار ', 'احمد الاختبار'],
  ['فاطمة', 'فاطمه'],
  ['هدى', 'هدي'],
  ['رؤى گل', 'روي كل'],
  ['\u202eعكس\u00a0\u200fالاختبار', 'عكس الاختبار'],
  ['ÉLODIE Şahin', 'elodie sahin'],
  ['الصف ٣ / ۴ / ५', 'الصف 3 / 4 / 5'],
  ['&#1575;حمد', '&#1575;حمد'],
  ['\u0301'.repeat(200), ''],
  ['\ufdfa'.repeat(200), 'صلي الله عليه وسلم'.repeat(200).slice(0, 200).trimEnd()],
];

for (const [name, expected] of names) {
  test(`${name} folds to ${expected}`, async () => {
    assert.is(foldName(name), expected);
    assert.equal(await foldedInDatabase([name]), [expected]);
  });
}

test.run();
