// Which wrong answers count, and the five conditions of a link, each of which alone breaks it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Item } from '#assessment/content/items/engine/item.ts';
import { hintName, hintText } from '#assessment/error-patterns/engine/hint.ts';
import {
  areLinked,
  type ClassifiedAnswer,
  linkedInOneSession,
  type Occurrence,
  occurrencesOf,
} from '#assessment/error-patterns/engine/occurrences.ts';
import { isDesignedFor, patternKeyOf, readCode, subFlagCode } from '#assessment/error-patterns/engine/pattern-key.ts';
import { type CatalogueDocument, compileCatalogue } from '#rules/catalogue/engine/catalogue.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { itemOf } from '../measurement/items.ts';

const bundle = await loadNewestBundle('rules');
const catalogue = compileCatalogue(bundle);
const { microPatterns } = bundle.values<CatalogueDocument>('catalogue/subskills');
const families = new Map(microPatterns.map(({ code, errorFamily }) => [code, errorFamily]));

/** Option 0 is right, 1 reveals dot_confusion, 2 only the family, 3 nothing. */
const item = (overrides: Partial<Item> = {}): Item => {
  const plain = itemOf(overrides);
  const option = (index: number, microPattern: string | null, errorFamily: string | null) => ({
    ...{ index, text: String(index), speech: null, audioUrl: null },
    ...{ microPattern, errorFamily },
  });
  const options = [
    option(0, null, null),
    option(1, 'dot_confusion', 'orthographic'),
    option(2, null, 'orthographic'),
    option(3, null, null),
  ];
  return { ...plain, options };
};

const classified = (
  selectedOptionIndex: number,
  changes: Partial<ClassifiedAnswer> = {},
  attempt = 'first',
): ClassifiedAnswer => ({
  answer: {
    sessionId: 's1',
    startedAt: '2026-01-10T08:00:00.000Z',
    bankVersion: 'content/item-bank@1',
    itemId: 'DEC_WORD-G12-01',
    selectedOptionIndex,
    correct: selectedOptionIndex === 0,
    latencyMs: 5_000,
    attempt: attempt as 'first' | 'repeat',
    receivedAt: '2026-01-10T08:01:00.000Z',
  },
  item: item(),
  active: true,
  rapid: false,
  ...changes,
});

const keysOf = (...answers: ClassifiedAnswer[]) => occurrencesOf(answers, families).map(({ patternKey }) => patternKey);

test('patternKey: the chosen option’s micro-pattern, else its family, else none', () => {
  assert.equal(item().options.map(patternKeyOf), [null, 'dot_confusion', 'family:orthographic', null]);
  assert.equal(keysOf(classified(0), classified(1), classified(2), classified(3)), [
    'dot_confusion',
    'family:orthographic',
  ]);
});

test('a right, repeated or rapid answer and an item out of use are no occurrence', () => {
  assert.equal(keysOf(classified(1)), ['dot_confusion']);
  assert.equal(keysOf(classified(0)), []);
  assert.equal(keysOf(classified(1, {}, 'repeat')), []);
  assert.equal(keysOf(classified(1, { rapid: true })), []);
  assert.equal(keysOf(classified(1, { active: false })), []);
});

test('codes: dots and shapes are one confusion, every other key has its own', () => {
  assert.is(subFlagCode('dot_confusion'), 'AR_ORTHOGRAPHIC_CONFUSION_FLAG');
  assert.is(subFlagCode('similar_shape'), 'AR_ORTHOGRAPHIC_CONFUSION_FLAG');
  assert.is(subFlagCode('vowel_length'), 'AR_VOWEL_LENGTH_FLAG');
  assert.is(subFlagCode('family:spelling'), 'AR_FAMILY_SPELLING_FLAG');
});

test('the old code of letter confusion is read as the present one; others are unchanged', () => {
  assert.is(readCode('AR_LETTER_CONFUSION_FLAG'), 'AR_ORTHOGRAPHIC_CONFUSION_FLAG');
  assert.is(readCode('AR_VOWEL_LENGTH_FLAG'), 'AR_VOWEL_LENGTH_FLAG');
});

test('an item is designed for a family when it lists a pattern of it', () => {
  assert.ok(isDesignedFor(item(), 'dot_confusion', families));
  assert.ok(isDesignedFor(item(), 'family:orthographic', families));
  assert.not.ok(isDesignedFor(item(), 'family:spelling', families));
  assert.not.ok(isDesignedFor(item({ designedPatterns: [] }), 'family:orthographic', families));
});

const occurrence = (changes: Partial<Occurrence> = {}): Occurrence => ({
  patternKey: 'dot_confusion',
  sessionId: 's1',
  startedAt: '2026-01-10T08:00:00.000Z',
  itemId: 'DEC_WORD-G12-01',
  subSkillCode: 'DEC_WORD',
  stemGroup: 'one',
  designed: true,
  at: '2026-01-10T08:01:00.000Z',
  ...changes,
});
const partner = { itemId: 'DEC_WORD-G12-02', stemGroup: 'two' };
const linked = (changes: Partial<Occurrence>) => {
  const [one, other] = [occurrence(), occurrence({ ...partner, ...changes })];
  assert.is(areLinked(one, other, catalogue), areLinked(other, one, catalogue), 'in either order');
  return areLinked(one, other, catalogue);
};

test('link 1: equal sub-skills, or one a direct prerequisite of the other', () => {
  assert.ok(linked({}));
  assert.ok(linked({ subSkillCode: 'DEC_SYLLABLE' }), 'direct prerequisite');
  assert.ok(linked({ subSkillCode: 'DEC_MULTI' }), 'builds on it');
  assert.not.ok(linked({ subSkillCode: 'LK_SOUND' }), 'a prerequisite of a prerequisite');
  assert.not.ok(linked({ subSkillCode: 'VOC_MEANING' }));
});

test('link 2 and 5: the same pattern on both chosen options', () => {
  assert.not.ok(linked({ patternKey: 'similar_shape' }));
});

test('link 3: independent items, by id and by stem', () => {
  assert.not.ok(linked({ itemId: 'DEC_WORD-G12-01' }));
  assert.not.ok(linked({ stemGroup: 'one' }));
});

test('link 4: both built to detect the pattern', () => {
  assert.not.ok(linked({ designed: false }));
});

test('links count within a session only, and the fullest session counts', () => {
  const far = { sessionId: 's2' };
  const third = { itemId: 'DEC_WORD-G12-03', stemGroup: 'three' };
  assert.is(linkedInOneSession([occurrence()], catalogue), 0);
  assert.is(linkedInOneSession([occurrence(), occurrence({ ...partner, ...far })], catalogue), 0);
  assert.is(linkedInOneSession([occurrence(), occurrence(partner), occurrence({ ...third, ...far })], catalogue), 2);
  assert.is(linkedInOneSession([occurrence(), occurrence(partner), occurrence(third)], catalogue), 3);
});

test('every pattern and family of the catalogue has a hint of its own, in vowelled Arabic without digits', () => {
  const messages = bundle.table('subflag/subflag').document.messages ?? {};
  const keys = [...families.keys(), ...new Set([...families.values()].map((family) => `family:${family}`))];
  for (const key of keys) {
    assert.ok(messages[hintName(key)], key);
    const text = hintText(key, messages);
    assert.match(text, /[\u064B-\u0652]/, key);
    assert.not.match(text, /[0-9\u0660-\u0669A-Za-z]/, key);
    assert.is(text, text.normalize('NFC'), key);
  }
  assert.is(hintText('a_pattern_of_tomorrow', messages), messages[hintName('default')]?.ar);
});

test.run();
