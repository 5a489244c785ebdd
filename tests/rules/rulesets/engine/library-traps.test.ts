// Unexpected behaviour of json-rules-engine 7.3.1, which is why the loader and the evaluator are strict. These tests
// fail when an upgrade changes it.
import { Engine, Rule, type RuleProperties } from 'json-rules-engine';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { askReferenceEngine } from '#rules/rulesets/engine/reference-engine.ts';
import { smallTable } from '../tables.ts';

const rule = (name: string, priority: number, conditions: RuleProperties['conditions']): RuleProperties => ({
  name,
  priority,
  conditions,
  event: { type: name, params: { outcome: name } },
});
const equals = (fact: string, value: unknown) => ({ fact, operator: 'equal', value });

test('stop() belongs to the engine, not to the run: a concurrent run loses its result without an error', async () => {
  const engine = new Engine([rule('A', 20, { all: [equals('x', 1)] }), rule('B', 10, { all: [equals('x', 2)] })]);
  const firstHit = async (x: number) => (await engine.run({ x })).events[0]?.type ?? '';
  engine.on('success', () => engine.stop());
  assert.equal(await Promise.all([firstHit(1), firstHit(2)]), ['A', ''], 'the second run should have hit B');
});

test('the reference engine, which makes an engine per run and never stops it, keeps concurrent results apart', async () => {
  const document = smallTable({ x: { type: 'integer', min: 0, max: 9, better: null } }, [
    { all: [{ fact: 'x', operator: 'equal', value: 1 }] },
    { all: [{ fact: 'x', operator: 'equal', value: 2 }] },
  ]);
  const [one, two] = await Promise.all([
    askReferenceEngine(document, { x: 1 }),
    askReferenceEngine(document, { x: 2 }),
  ]);
  assert.equal([one?.[0]?.ruleId, two?.[0]?.ruleId], ['T-01', 'T-02']);
});

test('equal priorities run in parallel: stop() after the first comes too late', async () => {
  const always: RuleProperties['conditions'] = { all: [equals('x', 1)] };
  const engine = new Engine([rule('A', 10, always), rule('B', 10, always), rule('C', 10, always)]);
  engine.on('success', () => engine.stop());
  const { events } = await engine.run({ x: 1 });
  assert.equal(
    events.map((event) => event.type),
    ['A', 'B', 'C'],
  );
});

test('an empty any is true, the opposite of its logic', async () => {
  const { events } = await new Engine([rule('A', 1, { any: [] })]).run({});
  assert.is(events.length, 1);
});

test('an undefined fact throws lazily: only when a rule gets as far as asking for it', async () => {
  const first = { ...equals('known', 1), priority: 9 };
  const properties = rule('A', 1, { any: [first, equals('absent', 1)] });
  const { events } = await new Engine([properties]).run({ known: 1 });
  assert.is(events.length, 1, 'the missing fact is not noticed');
  const complaint = await new Engine([properties]).run({ known: 2 }).catch(String);
  assert.match(String(complaint), /Undefined fact: absent/);
});

test('Rule.toJSON() drops unknown keys, so a document must never be stored through it', () => {
  const leaf = { ...equals('x', 4), valueRef: 'DTH-MIN-01' };
  const written = JSON.stringify({ ...rule('A', 1, { all: [leaf] }), rationale: 'why' });
  const kept = new Rule(written).toJSON();
  assert.not.match(kept, 'rationale');
  assert.not.match(kept, 'valueRef');
});

test('a leaf priority mutates the document that was passed in', () => {
  const leaf = { ...equals('x', 1), priority: '7' as unknown as number };
  new Engine([rule('A', 1, { all: [leaf] })]);
  assert.is(leaf.priority as unknown, 7, 'the text changed to a number in the caller’s object');
});

test.run();
