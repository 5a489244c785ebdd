// The scripts of teachers: one for each session role, skill group and band, in clean Arabic.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCanonicalText, misplacedMarks } from '#assessment/content/items/engine/arabic-marks.ts';
import { styleIssues } from '#assessment/content/items/engine/checks/style-sheet.ts';
import { readWordLists } from '#assessment/content/items/word-list-files.ts';
import { withoutPlaceholders } from '../../../../scripts/author/blueprints/script-placeholders.ts';
import type { Script } from '../../../../scripts/author/blueprints/script-source.ts';
import { batch, firstOf, rulesDir, scripts, source } from './batch.ts';
import { alike, orthographyIssues } from './texts.ts';

const lists = await readWordLists(`${rulesDir}/content/item-bank`);
const titles = [...new Set(batch.blueprints.map(({ titleAr }) => titleAr))];
const spoken = [...new Set(batch.blueprints.flatMap(({ segments }) => segments.map(({ scriptAr }) => scriptAr)))];
const authored = [...scripts].flatMap(([key, { segments }]) =>
  segments.map(({ kind, scriptAr }, at) => ({
    where: `${key} ${at + 1} ${kind}`,
    text: withoutPlaceholders(scriptAr),
  })),
);

test('there is a script for each role of a bundle and each skill group of a band, and no unused one', () => {
  const used = new Set(batch.blueprints.map(keyOf));
  assert.equal([...scripts.keys()].sort(), [...used].sort());
  const roles = new Set(source.bundles.flatMap(({ steps }) => steps.map(({ sessionRole }) => sessionRole)));
  for (const { groups } of source.roles) {
    for (const group of Object.keys(groups)) {
      const bands = new Set([...used].filter((key) => key.includes(`.${group}.`)).map((key) => key.split('.')[2]));
      for (const band of bands) {
        assert.equal(
          [...roles].filter((role) => !used.has(`${role}.${group}.${band}`)),
          [],
          `${group}.${band}`,
        );
      }
    }
  }
});

function keyOf({ sessionRole, anchorSkillGroup, grade }: (typeof batch.blueprints)[number]): string {
  return `${sessionRole}.${anchorSkillGroup}.${grade <= 2 ? 'G12' : 'G34'}`;
}

test('every script has a title of its own, and no two scripts share a segment', () => {
  assert.is(new Set([...scripts.values()].map(({ titleAr }) => titleAr)).size, scripts.size);
  assert.is(new Set(authored.map(({ text }) => text)).size, authored.length);
});

test('no two segments differ in a few words only', () => {
  assert.ok(authored.length > 900, `${authored.length}`);
  assert.equal(alike(authored), []);
  const [first] = authored;
  const copied = { where: 'a copy', text: first?.text.replace('بلا كتب ولا أقلام', 'دون دفاتر') ?? '' };
  assert.is(alike([...authored.slice(0, 50), copied]).length, 1, 'a copy with words exchanged is found');
});

test('a lesson goes from an opening to a closing in 15 to 40 minutes, with the segments of its role', () => {
  const wrong = [...scripts].filter(([, { segments }]) => {
    const minutes = segments.reduce((sum, segment) => sum + segment.minutes, 0);
    return segments[0]?.kind !== 'opening' || segments.at(-1)?.kind !== 'closing' || minutes < 15 || minutes > 40;
  });
  assert.equal(
    wrong.map(([key]) => key),
    [],
  );
  const kindsOf = (role: string) =>
    [...scripts]
      .filter(([key]) => key.startsWith(role))
      .map(([, { segments }]) => segments.map(({ kind }): string => kind));
  for (const kinds of kindsOf('EXPLICIT_TEACHING')) {
    assert.equal(kinds, ['opening', 'model', 'guided', 'practice', 'closing']);
  }
  for (const kinds of kindsOf('GUIDED_PRACTICE')) assert.ok(kinds.includes('guided') && kinds.includes('practice'));
});

test('at least one segment of a script quotes its items, unless a check must stay unprepared', () => {
  const speaksOfItems = ({ segments }: Script) => segments.some(({ scriptAr }) => /\{[0-9a-z]\./.test(scriptAr));
  const silent = [...scripts].filter(([, script]) => !speaksOfItems(script)).map(([key]) => key);
  assert.equal(
    silent.filter((key) => !/^(PROGRESS_CHECK|SCAFFOLD_FADING)\.(RC_|FLU_)/.test(key) && !/FADING\.VOC_/.test(key)),
    [],
  );
});

test('titles are fully vowelled, by the style sheet of the items', () => {
  assert.ok(spoken.length > 1_000 && titles.length > 200, `${spoken.length} ${titles.length}`);
  assert.equal(
    titles.flatMap((text) => styleIssues(text, lists).map((issue) => `${text}: ${issue}`)),
    [],
  );
});

test('scripts are canonical, and follow the orthography of the product', () => {
  assert.equal(firstOf(spoken.filter((text) => !isCanonicalText(text))), []);
  assert.equal(firstOf(spoken.flatMap((text) => misplacedMarks(text).map((word) => `${word}: ${text}`))), []);
  assert.equal(firstOf(spoken.flatMap((text) => orthographyIssues(text).map((issue) => `${issue}: ${text}`))), []);
});

test.run();
