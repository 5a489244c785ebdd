// Cases worked out by hand, with a pencil and rule by rule: through the engine and through the runner on the command line.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Protected, protectTogether } from '#outcomes/aggregates/engine/protect.ts';
import type { SchoolCounts } from '#outcomes/aggregates/engine/units.ts';
import { tileStatistic } from '#outcomes/aggregates/releases/statistics/status.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

interface Case {
  readonly name: string;
  readonly schools: readonly SchoolCounts[];
  readonly expected: Protected;
}

const text = fs.readFileSync('tests/outcomes/aggregates/engine/cases.json', 'utf8');
const { cases } = JSON.parse(text) as { readonly cases: readonly Case[] };
const rules = tileStatistic.protection(await loadNewestBundle('rules'));

for (const { name, schools, expected } of cases)
  test(name, () => {
    assert.equal(protectTogether(schools, rules), expected);
  });

test('the order in which schools, classes and bands come does not matter', () => {
  for (const { schools, expected } of cases) {
    const turned = schools.toReversed().map((school) => ({
      ...school,
      classes: school.classes.toReversed().map(({ id, counts }) => ({
        ...{ id, counts: Object.fromEntries(Object.entries(counts).toReversed()) },
      })),
    }));
    assert.is(JSON.stringify(protectTogether(turned, rules)), JSON.stringify(protectTogether(schools, rules)));
    assert.equal(protectTogether(turned, rules), expected);
  }
});

const protect = (input: string) =>
  spawnSync('node', ['scripts/launch/bootstrap.mjs', 'scripts/eval/evaluate.ts', 'aggregates'], {
    input,
    encoding: 'utf8',
  });

test('aggregates:protect writes what may be shown of each case, in order, and nothing else', () => {
  const { stdout, stderr, status } = protect(text);
  assert.equal([status, stderr], [0, '']);
  assert.equal(
    JSON.parse(stdout),
    cases.map(({ expected }) => expected),
  );
});

const refused = {
  'a band that is not one': { schools: [{ id: 's', classes: [{ id: 'c', counts: { Good: 5 } }] }] },
  'a count below zero': { schools: [{ id: 's', classes: [{ id: 'c', counts: { Meets: -1 } }] }] },
  'an id twice': { schools: [{ id: 's', classes: ['c', 'c'].map((id) => ({ id, counts: { Meets: 9 } })) }] },
};

test('aggregates:protect refuses what it cannot count in one line', () => {
  for (const [name, one] of Object.entries(refused)) {
    const { stdout, stderr, status } = protect(JSON.stringify({ cases: [one] }));
    assert.equal([status, stdout], [1, ''], name);
    assert.match(stderr, /^aggregates:protect: input.*\n$/, name);
  }
});

test.run();
