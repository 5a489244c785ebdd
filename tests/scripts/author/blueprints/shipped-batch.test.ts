// The shipped batch of lesson blueprints: complete, built from its source, made of items of the bank, and without findings of
// the rules of an import.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { evaluateBatch } from '#teaching/lesson-blueprints/imports/evaluate-batch.ts';
import { ImportBody } from '#teaching/lesson-blueprints/schemas.ts';
import { buildBatches } from '../../../../scripts/author/blueprints/build.ts';
import { groupsAtGrade } from '../../../../scripts/author/blueprints/plan.ts';
import { batch, batchText, firstOf, rulesDir, source } from './batch.ts';

const { blueprints } = batch;
const assignable = source.bundles.filter(({ state, steps }) => state === 'active' && steps.length > 0);
const key = (...parts: readonly (string | number)[]) => parts.join(' ');
const findings = (rule: (one: (typeof blueprints)[number]) => readonly string[]) =>
  firstOf(blueprints.flatMap((one) => rule(one).map((finding) => `${one.blueprintCode}: ${finding}`)));

test('the built file is the same as its source gives, byte for byte, and can be imported', async () => {
  const [again] = await buildBatches(rulesDir);
  assert.is(again?.text === batchText, true, 'run: npm run build:blueprints');
  assert.ok(Buffer.byteLength(batchText) <= 5 * 1024 * 1024, `${Buffer.byteLength(batchText)} bytes`);
  assert.equal(
    firstOf(jsonValidator(() => ImportBody)(batch).map(({ instancePath, message }) => `${instancePath} ${message}`)),
    [],
  );
});

test('the rules of an import find nothing in it, not even a warning', async () => {
  const { report } = await evaluateBatch(await loadNewestBundle(rulesDir), blueprints, new Map());
  assert.equal(firstOf(report.findings.map(({ ruleId, path }) => `${ruleId} ${path}`)), []);
  assert.equal([report.blueprints, report.errors, report.warnings], [blueprints.length, 0, 0]);
});

test('every assignable bundle, step and grade has its blueprint, light support one for each skill group', () => {
  const present = new Set(blueprints.map((one) => key(one.bundle_id, one.stepNo, one.grade)));
  const wanted = assignable.flatMap(({ bundle_id, steps, grades }) =>
    grades.flatMap((grade) => steps.map(({ stepNo }) => key(bundle_id, stepNo, grade))),
  );
  assert.equal(
    wanted.filter((one) => !present.has(one)),
    [],
  );
  const lightSupport = assignable.filter(({ objectType }) => objectType === 'LIGHT_SUPPORT_ACTION');
  const groups = lightSupport.flatMap(({ bundle_id, steps, grades }) =>
    grades.flatMap((grade) =>
      source.roles.flatMap((role) =>
        groupsAtGrade(role.groups, grade, source).flatMap(({ group }) =>
          steps.map(({ stepNo }) => key(bundle_id, stepNo, grade, group)),
        ),
      ),
    ),
  );
  const presentGroups = new Set(
    blueprints.map((one) => key(one.bundle_id, one.stepNo, one.grade, one.anchorSkillGroup)),
  );
  assert.equal(
    groups.filter((one) => !presentGroups.has(one)),
    [],
  );
  assert.ok(wanted.length + groups.length > 500, `${wanted.length} ${groups.length}`);
  assert.ok(blueprints.length >= 582 && blueprints.length <= 1_000, `${blueprints.length}`);
});

test('a step of a bundle with one role serves each of its skill groups', () => {
  const single = assignable.filter(({ roles }) => roles.length === 1);
  const missing = single.flatMap(({ bundle_id, roles: [name], steps, grades }) =>
    grades.flatMap((grade) => {
      const wanted = source.roles
        .filter(({ role }) => role === name)
        .flatMap((role) => groupsAtGrade(role.groups, grade, source));
      return wanted.flatMap(({ group }) =>
        steps
          .filter(
            ({ stepNo }) =>
              !blueprints.some(
                (one) =>
                  one.bundle_id === bundle_id &&
                  one.stepNo === stepNo &&
                  one.grade === grade &&
                  one.anchorSkillGroup === group,
              ),
          )
          .map(({ stepNo }) => key(bundle_id, stepNo, grade, group)),
      );
    }),
  );
  assert.equal(missing, []);
});

test('codes are unique and contain bundle, step, grade and skill group; no tier; all modes of the bundle', () => {
  assert.is(new Set(blueprints.map(({ blueprintCode }) => blueprintCode)).size, blueprints.length);
  const wrong = blueprints.filter((one) => {
    const step = String(one.stepNo).padStart(2, '0');
    const bundle = assignable.find(({ bundle_id }) => bundle_id === one.bundle_id);
    const code = `S01-${one.bundle_id}-${step}-G${one.grade}-${one.anchorSkillGroup}`;
    return (
      one.blueprintCode !== code || one.scaffoldTier !== null || `${one.deliveryModes}` !== `${bundle?.deliveryModes}`
    );
  });
  assert.equal(firstOf(wrong.map(({ blueprintCode }) => blueprintCode)), []);
});

test('step, role and targets are those of bundle and grade', () => {
  const groups = new Map(
    [...source.roles.map(({ groups: some }) => some), source.withoutRole].flatMap((some) => Object.entries(some)),
  );
  const wrong = findings(({ bundle_id, stepNo, sessionRole, grade, anchorSkillGroup, targetSubSkillCodes }) => {
    const bundle = assignable.find((one) => one.bundle_id === bundle_id);
    const step = bundle?.steps.find((one) => one.stepNo === stepNo);
    const lower = [grade, grade - 1, grade - 2].filter((one) => one > 0);
    const inGroup = groups.get(anchorSkillGroup) ?? [];
    return [
      ...(step?.sessionRole === sessionRole && bundle?.grades.includes(grade) ? [] : ['step']),
      ...targetSubSkillCodes.filter((code) => !inGroup.includes(code)).map((code) => `${code} is of another group`),
      ...targetSubSkillCodes
        .filter((code) => !lower.some((one) => source.gradesOf.get(code)?.includes(one)))
        .map((code) => `${code} is of a higher grade`),
    ];
  });
  assert.equal(wrong, []);
});

test('segments are numbered, their minutes add up, and every item is in one of them, once', () => {
  const wrong = findings(({ segments, items, durationMinutes }) => {
    const refs = segments.flatMap(({ itemRefs }) => itemRefs);
    const minutes = segments.reduce((sum, one) => sum + one.minutes, 0);
    return [
      ...(segments.every(({ segmentNo }, at) => segmentNo === at + 1) ? [] : ['numbers']),
      ...(minutes === durationMinutes && minutes >= 15 && minutes <= 40 ? [] : [`${minutes} minutes`]),
      ...(new Set(refs).size === refs.length && `${refs}` === `${items.map(({ itemRef }) => itemRef)}`
        ? []
        : ['items']),
    ];
  });
  assert.equal(wrong, []);
});

test('a goal step checks six items on its targets and has no others; other steps have items to work on', () => {
  const wrong = findings(({ bundle_id, stepNo, segments, items, targetSubSkillCodes }) => {
    const hasGoal = assignable
      .find((one) => one.bundle_id === bundle_id)
      ?.steps.find((one) => one.stepNo === stepNo)?.goal;
    const checked = segments.filter(({ kind }) => kind === 'check').flatMap(({ itemRefs }) => itemRefs);
    return [
      ...items
        .filter(({ subSkillCode }) => !targetSubSkillCodes.includes(subSkillCode))
        .map(({ itemRef }) => `${itemRef} is off target`),
      ...(hasGoal && (checked.length < 6 || checked.length !== items.length) ? [`${checked.length} checked`] : []),
      ...(items.length < 5 ? [`${items.length} items`] : []),
    ];
  });
  assert.equal(wrong, []);
});

test('items are those of the bank, word for word, with what their type needs', () => {
  const wrong = findings(({ items, grade }) =>
    items
      .filter((item) => {
        const known = source.bank.find(item.itemRef);
        const speech = known?.options.flatMap((option) => (option.speech === null ? [] : [option.speech])) ?? [];
        const same =
          known?.publicId === item.itemRef &&
          known.gradeBand === (grade <= 2 ? 'G12' : 'G34') &&
          JSON.stringify([
            known.subSkillCode,
            known.itemType,
            known.prompt.text,
            known.prompt.speech,
            known.prompt.passage,
            known.correctIndex,
          ]) ===
            JSON.stringify([
              item.subSkillCode,
              item.taskType,
              item.promptAr,
              item.speechAr,
              item.passageAr,
              item.correctOptionIndex,
            ]) &&
          `${known.options.map(({ text }) => text)}` === `${item.options}` &&
          `${speech}` === `${item.optionSpeechAr ?? []}`;
        return (
          !same ||
          (item.taskType === 'passage_mcq' && !item.passageAr) ||
          (item.taskType === 'mcq_audio' && !item.speechAr)
        );
      })
      .map(({ itemRef }) => itemRef),
  );
  assert.equal(wrong, []);
});

test('the steps of a bundle have different items, as far as the bank has some', () => {
  const chains = new Map<string, string[][]>();
  for (const { bundle_id, grade, anchorSkillGroup, items, segments } of blueprints) {
    if (!segments.some(({ kind }) => kind === 'check')) continue;
    const name = key(bundle_id, grade, anchorSkillGroup);
    chains.set(name, [...(chains.get(name) ?? []), items.map(({ itemRef }) => itemRef)]);
  }
  const again = [...chains].flatMap(([name, [first = [], second = []]]) =>
    second.filter((ref) => first.includes(ref)).map((ref) => `${name}: ${ref}`),
  );
  assert.equal(firstOf(again), [], 'two goal steps in a row ask the same');
  const used = new Set(blueprints.flatMap(({ items }) => items.map(({ itemRef }) => itemRef)));
  assert.ok(used.size > 700, `${used.size} of ${source.bank.items.length} items are used`);
});

test('transfer uses items that no earlier lesson had, if a group has several sub-skills', () => {
  const again = blueprints
    .filter((one) => one.sessionRole === 'NEAR_TRANSFER' && one.targetSubSkillCodes.length > 1)
    .flatMap((one) => {
      const before = blueprints.filter(
        (other) =>
          key(other.bundle_id, other.grade, other.anchorSkillGroup) ===
            key(one.bundle_id, one.grade, one.anchorSkillGroup) && other.stepNo < one.stepNo,
      );
      const met = new Set(before.flatMap(({ items }) => items.map(({ itemRef }) => itemRef)));
      return one.items
        .filter(({ itemRef }) => met.has(itemRef))
        .map(({ itemRef }) => `${one.blueprintCode}: ${itemRef}`);
    });
  assert.equal(firstOf(again), []);
});

test.run();
