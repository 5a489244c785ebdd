// Two evaluations are equal exactly when their canonical texts are: compared pair by pair, with each value changed.
import fs from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compilePipeline, evaluateStudent, type StudentEvaluation } from '#assessment/skill-status/engine/evaluate.ts';
import { toGoldenOutput } from '#assessment/skill-status/engine/golden.ts';
import { goldenOutputText } from '#assessment/skill-status/engine/golden-text.ts';
import { isSameResult } from '#assessment/skill-status/simulate/same-result.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

const test = suite('same results');
const root = path.resolve(import.meta.dirname, '../../../..');
const pipeline = compilePipeline(await loadNewestBundle(path.join(root, 'rules')));
const golden = JSON.parse(fs.readFileSync(path.join(root, 'tests/golden/sse-golden-cases.json'), 'utf8'));
const evaluations: StudentEvaluation[] = golden.cases.map(({ input }: never) => evaluateStudent(input, pipeline));
const repeated: StudentEvaluation[] = golden.cases.map(({ input }: never) => evaluateStudent(input, pipeline));

const isSameText = (one: StudentEvaluation, other: StudentEvaluation) =>
  canonicalJson(toGoldenOutput('', one)) === canonicalJson(toGoldenOutput('', other));

test('the text that is hashed is the canonical one, also of codes that differ under one rule', () => {
  for (const [index, one] of evaluations.entries()) {
    const turned = {
      ...one,
      coded: one.coded.map((coded, at) => (at % 2 === 0 ? coded : { ...coded, code: 'OTHER' })),
    };
    for (const evaluation of [one, turned as StudentEvaluation]) {
      const id = `case "${index}"`;
      assert.is(goldenOutputText(id, evaluation), canonicalJson(toGoldenOutput(id, evaluation)));
    }
  }
});

test('each golden case compared with each other', () => {
  let same = 0;
  for (const one of evaluations) {
    for (const other of repeated) {
      assert.is(isSameResult(one, other), isSameText(one, other));
      if (isSameText(one, other)) same += 1;
    }
  }
  assert.ok(same >= evaluations.length && same < evaluations.length ** 2);
});

/** Not part of the canonical text: the catalogue's entries, evidence, and sub-skills that were not evaluated. */
const isUnknown = (key: string, member: unknown): boolean =>
  ['evidence', 'response'].includes(key) ||
  member === 'not_assessed' ||
  (typeof member === 'object' && member !== null && 'code' in member);

/** Yields copies of a value, each with one string, number or flag changed. */
function* changed(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield `${value}'`;
  else if (typeof value === 'number') yield value + 1;
  else if (typeof value === 'boolean') yield !value;
  else if (value === null) yield 'something';
  else if (Array.isArray(value)) {
    for (const [at, member] of value.entries()) for (const other of changed(member)) yield value.with(at, other);
    yield [...value, 'more'];
  } else if (value instanceof Map || value instanceof Set || typeof value !== 'object') return;
  else {
    for (const [key, member] of Object.entries(value)) {
      if (isUnknown(key, member)) continue;
      for (const other of changed(member)) yield { ...value, [key]: other };
    }
  }
}

test('one value changed anywhere in the decisions', () => {
  let tried = 0;
  for (const index of [4, 6, 7]) {
    const one = evaluations[index];
    if (!one) return assert.unreachable();
    const { outcome, nextRecommendedDataAction, comprehension, global, coded, subSkills, domains, tiles } = one;
    const parts = { outcome, nextRecommendedDataAction, comprehension, global, coded, subSkills, domains, tiles };
    for (const [name, part] of Object.entries(parts)) {
      for (const other of changed(part)) {
        const different = { ...one, [name]: other } as StudentEvaluation;
        if (Array.isArray(other) && other.at(-1) === 'more') continue;
        assert.is(
          isSameResult(one, different),
          isSameText(one, different),
          `${name} ${JSON.stringify(other)}`.slice(0, 300),
        );
        tried += 1;
      }
    }
  }
  assert.ok(tried > 1_000);
});

test.run();
