// The levels SUBFLAG-L1, L2 and L3, each with one condition missing; and that levels and counts never fall.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileEscalation, type SubFlag } from '#assessment/error-patterns/engine/escalation.ts';
import type { Occurrence } from '#assessment/error-patterns/engine/occurrences.ts';
import type { HintDelivery } from '#assessment/measurement/training.ts';
import { compileCatalogue } from '#rules/catalogue/engine/catalogue.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

const bundle = await loadNewestBundle('rules');
const escalation = compileEscalation(bundle, compileCatalogue(bundle));

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T08:00:00.000Z`;

/** An occurrence in the session of day `on`; items are independent of each other by default. */
const wrong = (on: number, itemNo: number, changes: Partial<Occurrence> = {}): Occurrence => ({
  patternKey: 'dot_confusion',
  sessionId: `s${on}`,
  startedAt: day(on),
  itemId: `DEC_WORD-G12-${itemNo}`,
  subSkillCode: 'DEC_WORD',
  stemGroup: `stem-${itemNo}`,
  designed: true,
  at: day(on),
  ...changes,
});
const support = (on: number): HintDelivery => ({ patternKey: 'dot_confusion', sessionId: `s${on}`, at: day(on) });

const levelOf = (occurrences: readonly Occurrence[], deliveries: readonly HintDelivery[] = [], before?: SubFlag) =>
  escalation.flagOf(occurrences, deliveries, before).level;

test('SUBFLAG-L1: one occurrence is a candidate', () => {
  const flag = escalation.flagOf([wrong(5, 1)], []);
  assert.is(flag.level, 1);
  assert.is(flag.state, 'candidate');
});

test('SUBFLAG-L2: two linked occurrences in one session switch support on', () => {
  const flag = escalation.flagOf([wrong(5, 1), wrong(5, 2)], []);
  assert.is(flag.level, 2);
  assert.is(flag.state, 'automatic_support_active');
});

test('SUBFLAG-L2 needs one session and independent items', () => {
  assert.is(levelOf([wrong(5, 1), wrong(6, 2)]), 1, 'two sessions');
  assert.is(levelOf([wrong(5, 1), wrong(5, 2, { stemGroup: 'stem-1' })]), 1, 'one stem');
  assert.is(levelOf([wrong(5, 1), wrong(5, 2, { designed: false })]), 1, 'not designed for it');
});

test('SUBFLAG-L3: support was given, and the pattern came back in a later session', () => {
  const flag = escalation.flagOf([wrong(5, 1), wrong(5, 2), wrong(7, 3)], [support(5)]);
  assert.is(flag.level, 3);
  assert.is(flag.state, 'teacher_alert_active');
  assert.equal(flag, {
    level: 3,
    state: 'teacher_alert_active',
    validOccurrences: 3,
    sessionCount: 2,
    linkedOccurrences: 2,
    occurrencesAfterSupport: 1,
    supportDeliveredAt: day(5),
  });
});

test('SUBFLAG-L3 lacks one condition each: L2', () => {
  const linked = [wrong(5, 1), wrong(5, 2)];
  assert.is(levelOf([...linked, wrong(7, 3)]), 2, 'no support');
  assert.is(levelOf([...linked, wrong(5, 3)], [support(5)]), 2, 'one session');
  assert.is(levelOf([...linked, wrong(4, 3)], [support(5)]), 2, 'only an earlier session');
  assert.is(levelOf([...linked, wrong(7, 3)], [support(7)]), 2, 'the session of the support itself');
});

test('SUBFLAG-L3 needs the link: three unlinked occurrences over sessions stay L1', () => {
  assert.is(levelOf([wrong(5, 1), wrong(6, 2), wrong(7, 3)], [support(5)]), 1);
});

test('the first support counts: a later one does not undo the persistence', () => {
  assert.is(levelOf([wrong(5, 1), wrong(5, 2), wrong(7, 3)], [support(5), support(8)]), 3);
});

test('support is active at L2 and L3; L3 alone writes an alert, of severity low', () => {
  assert.equal([...escalation.supportedLevels].sort(), [2, 3]);
  const alerts = escalation.stepsBetween(0, 3).map(({ level, alertSeverity }) => [level, alertSeverity]);
  assert.equal(alerts, [
    [1, 'none'],
    [2, 'none'],
    [3, 'low'],
  ]);
  assert.equal(escalation.stepsBetween(3, 3), [], 'already reached: no step');
});

const anyOccurrences = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 9 }), fc.boolean())
    .map(([on, itemNo, designed]) => wrong(on, itemNo, { designed })),
  { minLength: 1, maxLength: 12 },
);

test('levels and counts never fall', () => {
  fc.assert(
    fc.property(anyOccurrences, anyOccurrences, fc.option(fc.integer({ min: 1, max: 6 })), (first, next, supported) => {
      const deliveries = supported === null ? [] : [support(supported)];
      const before = escalation.flagOf(first, []);
      const after = escalation.flagOf(next, deliveries, before);
      const counts = ['validOccurrences', 'sessionCount', 'linkedOccurrences', 'occurrencesAfterSupport'] as const;
      for (const count of ['level', ...counts] as const) assert.ok(after[count] >= before[count], count);
      assert.equal(escalation.flagOf(next, deliveries, after), after, 'a repeated call gives an equal flag');
    }),
    { numRuns: 300 },
  );
});

test('the level is what the definition says, by an independent count', () => {
  fc.assert(
    fc.property(anyOccurrences, fc.option(fc.integer({ min: 1, max: 6 })), (occurrences, supported) => {
      const pairs = occurrences.flatMap((a) => occurrences.map((b) => [a, b] as const));
      const isLinked = pairs.some(
        ([a, b]) =>
          a.sessionId === b.sessionId &&
          a.itemId !== b.itemId &&
          a.stemGroup !== b.stemGroup &&
          a.designed &&
          b.designed,
      );
      const persists = occurrences.some((one) => supported !== null && Number(one.sessionId.slice(1)) > supported);
      const sessions = new Set(occurrences.map(({ sessionId }) => sessionId)).size;
      const atThree = isLinked && occurrences.length >= 3 && sessions >= 2 && persists;
      const expected = atThree ? 3 : isLinked ? 2 : 1;
      assert.is(levelOf(occurrences, supported === null ? [] : [support(supported)]), expected);
    }),
    { numRuns: 500 },
  );
});

test.run();
