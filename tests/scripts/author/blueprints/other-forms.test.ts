// Form B of the goal steps: the lessons of form A with other check items of the same sub-skills, built from the same source,
// and without findings of the rules of an import.
import fs from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { evaluateBatch } from '#teaching/lesson-blueprints/imports/evaluate-batch.ts';
import { type Blueprint, ImportBody } from '#teaching/lesson-blueprints/schemas.ts';
import { batchPath, buildBatches } from '../../../../scripts/author/blueprints/build.ts';
import { batch, firstOf, rulesDir, scripts, source } from './batch.ts';

const text = await fs.readFile(batchPath(rulesDir, 'B'), 'utf8');
const other = JSON.parse(text) as Omit<ImportBody, 'blueprints'> & { blueprints: Blueprint[] };
const placeOf = ({ bundle_id, stepNo, grade, anchorSkillGroup }: Blueprint) =>
  [bundle_id, stepNo, grade, anchorSkillGroup].join(' ');
const first = new Map(batch.blueprints.map((one) => [placeOf(one), one]));
const pairs = other.blueprints.flatMap((one): [Blueprint, Blueprint][] => {
  const of = first.get(placeOf(one));
  return of ? [[one, of]] : [];
});

test('the built file is the same as its source gives, byte for byte, and can be imported', async () => {
  const [, again] = await buildBatches(rulesDir);
  assert.is(again?.text === text, true, 'run: npm run build:blueprints');
  assert.is(other.batchCode, 'SEED-02');
  const faults = jsonValidator(() => ImportBody)(other).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  );
  assert.equal(firstOf(faults), []);
});

test('the rules of an import find nothing in it', async () => {
  const { report } = await evaluateBatch(await loadNewestBundle(rulesDir), other.blueprints, new Map());
  assert.equal(firstOf(report.findings.map(({ ruleId, path }) => `${ruleId} ${path}`)), []);
});

test('every goal step of the first batch has one form B, and no other step has', () => {
  const isGoal = ({ bundle_id, stepNo }: Blueprint) => {
    const steps = source.bundles.find((one) => one.bundle_id === bundle_id)?.steps;
    return steps?.find((one) => one.stepNo === stepNo)?.goal != null;
  };
  const wanted = batch.blueprints.filter(isGoal).map(placeOf).sort();
  assert.ok(wanted.length > 300, `${wanted.length}`);
  assert.equal(other.blueprints.map(placeOf).sort(), wanted);
  assert.ok(other.blueprints.every(({ form }) => form === 'B'));
  assert.ok(batch.blueprints.every(({ form }) => form === undefined));
  const codes = new Set([...batch.blueprints, ...other.blueprints].map(({ blueprintCode }) => blueprintCode));
  assert.is(codes.size, batch.blueprints.length + other.blueprints.length);
});

test('both forms check the same sub-skills as often, with six items each and none in common', () => {
  const skillsOf = ({ items }: Blueprint) => items.map(({ subSkillCode }) => subSkillCode).sort();
  const wrong = pairs.flatMap(([one, of]) => {
    const asked = new Set(of.items.map(({ itemRef }) => itemRef));
    return [
      ...(one.items.some(({ itemRef }) => asked.has(itemRef)) ? [`${one.blueprintCode}: asked again`] : []),
      ...(`${skillsOf(one)}` === `${skillsOf(of)}` ? [] : [`${one.blueprintCode}: other sub-skills`]),
      ...(one.items.length === of.items.length && one.items.length >= 6 ? [] : [`${one.blueprintCode}: items`]),
    ];
  });
  assert.equal(firstOf(wrong), []);
});

test('both forms are taught by the same script', () => {
  const shapeOf = ({ titleAr, segments, targetSubSkillCodes, deliveryModes, scaffoldTier }: Blueprint) =>
    JSON.stringify([
      ...[titleAr, targetSubSkillCodes, deliveryModes, scaffoldTier],
      segments.map(({ kind, minutes, itemRefs }) => [kind, minutes, itemRefs.length]),
    ]);
  assert.equal(
    firstOf(pairs.filter(([one, of]) => shapeOf(one) !== shapeOf(of)).map(([one]) => one.blueprintCode)),
    [],
  );
  assert.ok(scripts.size > 0 && pairs.length === other.blueprints.length);
});

test.run();
