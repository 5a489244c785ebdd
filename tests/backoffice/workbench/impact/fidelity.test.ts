// timeout: 180s
// What a draft about delivery would change for the gates of open plans, and nothing else.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { recordDeliveries } from '#support/interventions/deliveries/record.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { insertAssignment } from '../../../support/interventions/assignment-rows.ts';
import { edited, impactOf, january, ruleOf, setConstant, type WholeReport } from './world.ts';

const test = suite('the impact of rules of delivery');
const shell = useShell(test);
const { app } = shell;
const sunday = '2025-12-14';

const step = {
  ...{ stepNo: 1, sessionRole: 'EXPLICIT_TEACHING', plannedSessions: 40, deliveredSessions: 0, goal: null },
  ...{ goalState: 'none', scored: 0, correct: 0, rate: null },
};

let first: Student;
const ids: string[] = [];

/** Four weeks of a plan with so many sessions each, of a student with a run. */
async function planned(student: Student, perWeek: readonly number[]): Promise<void> {
  const { organizationId } = student;
  await shell.diagnostic(student, answersOf({ DEC_WORD: 'UUUU' }), { finishedAt: january(9), announced: false });
  await shell.recompute(student);
  ids.push(
    await insertAssignment(app.database.owner, student, 'BND-DECODE-01', {
      startOn: sunday,
      steps: JSON.stringify([step]),
    }),
  );
  for (const [week, count] of perWeek.entries()) {
    for (let day = 0; day < count; day += 1) {
      const deliveredOn = daysAfter(sunday, week * 7 + day);
      const present = [{ studentId: student.id, responses: [] }];
      const source = { type: 'live', id: deliveredOn } as const;
      const session = {
        organizationId,
        bundle_id: 'BND-DECODE-01',
        deliveredOn,
        source,
        present,
        now: app.clock.now(),
      };
      await inContext(shell.services.db, { organizationId }, (trx) => recordDeliveries(trx, shell.services, session));
    }
  }
}

test.before(async () => {
  app.clock.set(january(11));
  first = await shell.student();
  await planned(first, [3, 3, 3, 0]);
  await planned(await shell.classmate(first), [3, 3, 3, 3]);
  await planned(await shell.classmate(first), [0, 2, 0, 0]);
});

type Report = Omit<WholeReport, 'reportHash'>;

async function simulated(draft: RuleDocument): Promise<Report> {
  const { report } = await impactOf(shell, draft, { scope: { organizationId: first.organizationId } });
  return report;
}

const layerIn = ({ layers }: Report) => layers.find(({ layer }) => layer === 'FIDELITY');
const counts = (report: Report) =>
  layerIn(report)?.transitions.map(({ from, to, count, direction }) => `${from} > ${to}: ${count} ${direction}`);

test('another share of what was planned moves one plan over its gate', async () => {
  const report = await simulated(edited('fidelity/settings', (document) => setConstant(document, 'FID-RAT-01', 0.7)));
  assert.equal(counts(report), ['fail > fail: 1 same', 'fail > pass: 1 better', 'pass > pass: 1 same']);
  assert.is(report.students.changed, 1);
  const [exemplar] = layerIn(report)?.transitions.find(({ to, from }) => from !== to)?.exemplars ?? [];
  assert.equal([exemplar?.studentId, exemplar?.subject, exemplar?.stampId], [first.id, ids[0], `assignment:${ids[0]}`]);
  assert.equal([exemplar?.before.ruleId, exemplar?.after.ruleId], ['FID-99', 'FID-03']);
  assert.equal(exemplar?.before.facts, { gateType: true, planned: 12, thresholdReached: false });
  const hits = report.ruleHits.find(({ ruleId }) => ruleId === 'FID-03');
  assert.equal([hits?.document, hits?.before, hits?.after], ['fidelity/gate', 1, 2]);
});

test('two sessions that may be made up in a week', async () => {
  const report = await simulated(edited('fidelity/settings', (document) => setConstant(document, 'FID-CAP-01', 2)));
  assert.equal(counts(report), ['fail > fail: 2 same', 'pass > pass: 1 same']);
  assert.is(report.students.changed, 0);
});

test('a gate that says another word', async () => {
  const draft = edited('fidelity/gate', (document) => {
    ruleOf(document, 'FID-99').event.params.outcome = 'not_applicable';
  });
  assert.equal(counts(await simulated(draft)), ['fail > not_applicable: 2 lateral', 'pass > pass: 1 same']);
});

test('a draft that is about something else says nothing of gates', async () => {
  const draft = edited('ssr/ssr', (document) => {
    ruleOf(document, 'SSR-08').event.params.outcome = 'weak_isolated';
  });
  assert.is(layerIn(await simulated(draft)), undefined);
});

test.run();
