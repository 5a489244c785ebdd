// `npm run rewards:eval`: the golden cases answered on the command line, one case or many, without a database.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const argv = ['scripts/launch/bootstrap.mjs', 'scripts/eval/evaluate.ts', 'rewards'];
const run = (input: unknown) =>
  JSON.parse(execFileSync(process.execPath, argv, { input: JSON.stringify(input), encoding: 'utf8' }));

const read = (name: string) => JSON.parse(fs.readFileSync(`rules/gamification/rewards/${name}.json`, 'utf8'));
interface Row {
  readonly kind: string;
  readonly code: string;
  readonly amount: number;
  readonly value: number;
  readonly cappedFrom?: number;
}

test('every golden case: the same XP, badges, streak and celebrations', () => {
  const { cases } = read('1.golden');
  const answers = run({ cases: cases.map(({ calendar, events }: never) => ({ calendar, facts: events })) });
  assert.is(answers.length, cases.length);
  cases.forEach(({ name, answer }: { name: string; answer: object }, at: number) => {
    const { xp, badges, streak, celebrations } = answers[at];
    const summary = {
      xp: xp.map(({ kind, amount, cappedFrom }: Row) => `${kind} ${amount}${cappedFrom ? ` of ${cappedFrom}` : ''}`),
      badges: badges.map(({ code }: Row) => code),
      streak,
      celebrations: celebrations.map(({ kind, value }: Row) => `${kind} ${value}`),
    };
    assert.equal(summary, answer, name);
  });
});

test('one bare case: rows in the shapes of the ledgers, by the rules that come along', () => {
  const document = read('1');
  const rules = { ...document, meta: { ...document.meta, version: 9 }, sessionCap: 15 };
  const fact = { sourceKind: 'subskill_state_up', naturalKey: 'DEC_WORD:123', subSkillCode: 'DEC_WORD' };
  // Half past midnight in Riyadh.
  const facts = [{ ...fact, sessionKey: 'diagnostic:d1', occurredAt: '2026-10-04T21:30:00.000Z' }];
  assert.equal(run({ calendar: { weekend: [5, 6], holidays: [] }, rules, facts }), {
    events: [
      { id: 1, ...facts[0], localDate: '2026-10-05', missedSchoolDays: 0, ruleVersion: 'gamification/rewards@9' },
    ],
    xp: [
      {
        ...{ masteryEventId: 1, ruleVersion: 'gamification/rewards@9', kind: 'credit' },
        ...{ amount: 15, cappedFrom: 20, sessionKey: 'diagnostic:d1' },
      },
      { masteryEventId: 1, ruleVersion: 'gamification/rewards@9', kind: 'badge_bonus', amount: 10 },
    ],
    badges: [
      {
        ...{ code: 'first_step', nameAr: 'الخطوة الأولى', descriptionAr: 'بداية جميلة في رحلة القراءة.' },
        ...{
          triggeringMasteryEventId: 1,
          awardedAt: '2026-10-04T21:30:00.000Z',
          ruleVersion: 'gamification/rewards@9',
        },
      },
    ],
    streak: { current: 1, longest: 1, lastTickDate: '2026-10-05' },
    celebrations: [],
  });
});

test('what cannot be read ends with one line and exit code 1', () => {
  const fact = { sourceKind: 'subskill_state_up', naturalKey: '1', sessionKey: 'orf:1', localDate: '2026-10-04' };
  for (const input of [
    null,
    { facts: [{ ...fact, sourceKind: 'login' }] },
    {
      facts: [
        { ...fact, studentId: 1 },
        { ...fact, naturalKey: '2', studentId: 2 },
      ],
    },
    { cases: [{ facts: [], rules: { ...read('1'), avatarTiers: [5, 5, 35, 75] } }] },
  ]) {
    const { status, stderr } = spawnSync(process.execPath, argv, { input: JSON.stringify(input), encoding: 'utf8' });
    assert.is(status, 1, JSON.stringify(input));
    assert.is(stderr.trim().split('\n').length, 1, stderr);
  }
});

test.run();
