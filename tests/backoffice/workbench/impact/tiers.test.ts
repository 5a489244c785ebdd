// timeout: 180s
// What a draft of alerts or tiers would change, student by student, as everything else stands.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { rtiSituationsOf } from '#support/rti/situations/situations.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { edited, impactOf, january, layerOf, type Report, ruleOf } from './world.ts';

const test = suite('the impact of rules of tiers');
const shell = useShell(test);
const { app } = shell;

const right = {
  ...{ LK_SOUND: 'CCCC', DEC_SYLLABLE: 'CCCC', DEC_WORD: 'CCCC' },
  ...{ LIS_LITERAL: 'CCCC', VOC_MEANING: 'CCCC', RC_LITERAL: 'CCCC' },
};
const noWords = { ...right, DEC_WORD: 'UUUU' };

/** One strong role, two of them, and none. */
let one: Student;
let two: Student;
let none: Student;

async function measure(student: Student, parts: Readonly<Record<string, string>>): Promise<void> {
  await shell.diagnostic(student, answersOf(parts), { finishedAt: january(9), announced: false });
  await shell.recompute(student);
}

test.before(async () => {
  app.clock.set(january(10));
  one = await shell.student();
  two = await shell.classmate(one);
  none = await shell.classmate(one);
  await measure(one, noWords);
  await measure(two, { ...noWords, LIS_LITERAL: 'UUUU' });
  await measure(none, right);
});

const simulated = async (draft: RuleDocument): Promise<Report> =>
  (await impactOf(shell, draft, { scope: { organizationId: one.organizationId } })).report;

const counts = (report: Report, layer: 'ALERT' | 'TIER'): string[] =>
  layerOf(report, layer).transitions.map((each: { from: string; to: string; count: number }) => {
    return `${each.from} > ${each.to}: ${each.count}`;
  });

test('the students are as the test means them', async () => {
  const { organizationId } = one;
  const ids = [one.id, two.id, none.id];
  const { situations } = await inContext(app.database.owner, { organizationId }, (trx) =>
    rtiSituationsOf(trx, shell.services, { organizationId, studentIds: ids, now: app.clock.now() }),
  );
  assert.equal(
    ids.map((id) => situations.get(id)?.strongCount),
    [1, 2, 0],
  );
});

test('an alert that a severe tile alone no longer raises: one student has two strong roles as well', async () => {
  const draft = edited('rti/alerts', (document) => {
    ruleOf(document, 'RAL-04').conditions.all[1].any.pop();
  });
  const report = await simulated(draft);
  assert.equal(counts(report, 'ALERT'), [
    'Student_Alert > Student_Alert: 1',
    'Student_Alert > none: 1',
    'none > none: 1',
  ]);
  assert.equal(counts(report, 'TIER'), ['maintain > maintain: 3']);
  assert.is(report.students.changed, 1);
  const moved = layerOf(report, 'ALERT').transitions.find(({ to }: { to: string }) => to === 'none');
  const [exemplar] = moved.exemplars;
  assert.is(exemplar.studentId, one.id);
  assert.equal([exemplar.before.ruleId, exemplar.after.ruleId], ['RAL-04', 'RAL-99']);
  assert.equal([exemplar.after.facts.strongCount, exemplar.after.facts.severeTile], [1, true]);
  assert.is(layerOf(report, 'ALERT').better, 1);
  const hits = report.ruleHits.find(({ ruleId }: { ruleId: string }) => ruleId === 'RAL-04');
  assert.equal([hits.document, hits.before, hits.after], ['rti/alerts', 2, 1]);
});

test('another recommendation is reported with its reason', async () => {
  const draft = edited('rti/tier-recommendation', (document) => {
    ruleOf(document, 'TRC-99').event.params.outcome = 'defer';
  });
  const report = await simulated(draft);
  assert.equal(counts(report, 'TIER'), ['maintain > defer: 3']);
  const [exemplar] = layerOf(report, 'TIER').transitions[0].exemplars;
  assert.is(exemplar.after.facts.sufficiencyReason, 'NONE');
  assert.is(layerOf(report, 'TIER').lateral, 3);
});

test('what sufficiency says reaches the tier, and the plans', async () => {
  const draft = edited('rti/data-sufficiency', (document) => {
    Object.assign(ruleOf(document, 'DSF-99').event.params, { outcome: 'insufficient', reason: 'TOO_FEW_POINTS' });
  });
  const report = await simulated(draft);
  assert.equal(counts(report, 'TIER'), ['maintain > defer: 3']);
  assert.ok(report.support !== null);
});

test('states of sub-skills are told from the first run on, as if the draft had always been in force', async () => {
  const draft = edited('rti/skill-state', (document) => {
    ruleOf(document, 'LSA-04').event.params.outcome = 'monitoring';
  });
  const report = await simulated(draft);
  const layer = layerOf(report, 'SKILL_STATE');
  // Six sub-skills of three students were decided, three of them weakly.
  assert.equal(
    layer.transitions.map(({ from, to, count }: { from: string; to: string; count: number }) => [from, to, count]),
    [
      ['monitoring', 'monitoring', 3],
      ['on_track', 'monitoring', 15],
    ],
  );
  assert.equal([layer.compared, layer.worse, report.notSimulated], [18, 15, []]);
  const [
    {
      exemplars: [exemplar],
    },
  ] = layer.transitions.filter(({ from }: { from: string }) => from === 'on_track');
  assert.equal([exemplar.before.ruleId, exemplar.after.outcome], ['LSA-04', 'monitoring']);
  const hits = report.ruleHits.find(({ ruleId }: { ruleId: string }) => ruleId === 'LSA-04');
  assert.equal([hits.document, hits.before, hits.after], ['rti/skill-state', 15, 15]);
});

test('every document of tiers and of delivery can be simulated: an approval asks for the report', async () => {
  for (const name of ['rti/reason-codes', 'rti/decision-packet', 'fidelity/gate', 'fidelity/settings'] as const) {
    const report = await simulated(edited(name, () => {}));
    assert.equal([layerOf(report, 'ALERT').changed, layerOf(report, 'TIER').changed], [0, 0], name);
    assert.is(layerOf(report, 'ALERT').compared, 3, name);
  }
});

test('a draft that is about something else says nothing of tiers', async () => {
  const report = await simulated(edited('bundle/settings', () => {}));
  assert.is(layerOf(report, 'ALERT'), undefined);
});

test.run();
