// The ten golden cases, computed by another program: students that use every rule of the pipeline except DDR-LC-01.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EvaluationInput } from '#assessment/measurement/evidence/engine/evidence.ts';
import { evaluateStudent } from '#assessment/skill-status/engine/evaluate.ts';
import { toGoldenOutput } from '#assessment/skill-status/engine/golden.ts';
import { pipeline } from './rules.ts';

interface GoldenCase {
  readonly input: EvaluationInput & { readonly caseId: string };
  readonly expected: unknown;
}

const golden: { readonly cases: readonly GoldenCase[] } = JSON.parse(
  fs.readFileSync('tests/golden/sse-golden-cases.json', 'utf8'),
);

for (const { input, expected } of golden.cases) {
  test(`${input.caseId}: the whole output equals the golden case`, () => {
    const output = toGoldenOutput(input.caseId, evaluateStudent(input, pipeline));
    assert.equal(JSON.parse(JSON.stringify(output)), expected);
  });
}

test('there are ten golden cases', () => {
  assert.is(golden.cases.length, 10);
});

test.run();
