// Golden cases through the whole service: rows of diagnostics in, HTTP responses out. The expected values were computed
// by another program.
import fs from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replayRun } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { buildSuperAdmin, signIn } from '../../../harness/factories.ts';
import type { Answer, Letter } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

interface GoldenResponse {
  readonly sessionId: string;
  readonly itemId: string;
  readonly subSkillCode: string;
  readonly answered: boolean;
  readonly correct: boolean;
  readonly speed: string;
  readonly errorClass: string;
  readonly behaviourMark: boolean;
}
interface GoldenSkill {
  readonly facts: Record<string, unknown>;
  readonly rules: { readonly ssr: string };
  readonly pacReason: string;
  readonly status: string | null;
  readonly outcome: string;
  readonly confidence: string | null;
  readonly decision_strength: string | null;
  readonly modifiers: readonly string[];
  readonly nextRecommendedDataAction?: string;
  readonly itemsNeeded?: number;
}
interface GoldenCase {
  readonly input: {
    readonly caseId: string;
    readonly grade: number;
    readonly asOf: string;
    readonly sessions: readonly { readonly sessionId: string; readonly endedAt: string }[];
    readonly responses: readonly GoldenResponse[];
  };
  readonly expected: {
    readonly outcome: string;
    readonly nextRecommendedDataAction: string | null;
    readonly finalStatusCodes: readonly { readonly ruleId: string; readonly code: string }[];
    readonly subSkills: Readonly<Record<string, GoldenSkill>>;
    readonly domains: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly comprehension: Readonly<Record<string, unknown>>;
    readonly tiles: Readonly<Record<string, object>>;
    readonly global: { readonly status: string };
  };
}

/** The cases with diagnostics as their only evidence. */
const caseIds = ['G03', 'G04', 'G06', 'G07', 'G08'];
const golden: { readonly cases: readonly GoldenCase[] } = JSON.parse(
  fs.readFileSync('tests/golden/sse-golden-cases.json', 'utf8'),
);

const test = suite('golden cases over HTTP');
const shell = useShell(test);
let token: string;
test.before(async () => {
  shell.app.clock.set('2026-02-01T08:00:00.000Z');
  token = await signIn(shell.app, await buildSuperAdmin(shell.app.database.owner));
});

function letterOf({ answered, correct, speed, errorClass }: GoldenResponse): Letter {
  if (!answered) return 'N';
  if (correct) return speed === 'slow' ? 'L' : 'C';
  if (errorClass === 'none') return speed === 'slow' ? 'E' : 'U';
  return errorClass === 'target' ? 'T' : errorClass === 'prerequisite' ? 'Q' : 'A';
}

async function studentOf({ input }: GoldenCase): Promise<Student> {
  const student = await shell.student({ grade: input.grade });
  for (const { sessionId, endedAt } of input.sessions) {
    const responses = input.responses.filter((response) => response.sessionId === sessionId);
    const answers: Answer[] = responses.map((response) => ({
      subSkillCode: response.subSkillCode,
      itemId: response.itemId,
      letter: letterOf(response),
      marked: response.behaviourMark,
    }));
    await shell.diagnostic(student, answers, { finishedAt: endedAt });
  }
  await shell.recompute(student);
  return student;
}

interface SkillBody {
  readonly subSkillCode: string;
  readonly outcome: string;
  readonly evidence: Record<string, unknown>;
  readonly [field: string]: unknown;
}
interface StatusBody {
  readonly outcome: string;
  readonly nextRecommendedDataAction?: string;
  readonly items: readonly SkillBody[];
}
interface DomainBody {
  readonly domains: readonly ({ readonly domainCode: string } & Record<string, unknown>)[];
  readonly comprehension: object;
  readonly tiles: readonly ({ readonly tileCode: string } & Record<string, unknown>)[];
  readonly global: { readonly status: string };
}

for (const one of golden.cases.filter(({ input }) => caseIds.includes(input.caseId))) {
  const { expected, input } = one;

  test(`${input.caseId}: statuses, domains, comprehension, tiles and response codes`, async () => {
    const student = await studentOf(one);
    const path = `/api/sse/students/${student.id}`;
    const { body: status } = await shell.http.get<StatusBody>(`${path}/skill-status`, { token });
    assert.is(status.outcome, expected.outcome);
    assert.is(status.nextRecommendedDataAction ?? null, expected.nextRecommendedDataAction);
    const evaluated = status.items.filter(({ outcome }) => outcome !== 'not_assessed');
    assert.equal(Object.fromEntries(evaluated.map(skillSummary)), mapValues(expected.subSkills, expectedSkill));
    const { body: domains } = await shell.http.get<DomainBody>(`${path}/domain-status`, { token });
    assert.equal(
      Object.fromEntries(domains.domains.map((domain) => [domain.domainCode, pick(domain, shownOfDomain)])),
      mapValues(expected.domains, (domain) => pick(domain, shownOfDomain)),
    );
    assert.equal(domains.comprehension, expected.comprehension);
    const tiles = domains.tiles.map((tile) => [tile.tileCode, pick(tile, ['status', 'applicable', 'severePath'])]);
    assert.equal(Object.fromEntries(tiles), expected.tiles);
    assert.is(domains.global.status, expected.global.status);
  });

  test(`${input.caseId}: the stored run replays to equal bytes`, async () => {
    const student = await studentOf(one);
    const [run] = await shell.rows<{ id: string }>('sse_run', student);
    const codes = await shell.rows<{ ruleId: string; code: string }>('sse_response_code', student);
    assert.equal(tallied(codes), tallied(expected.finalStatusCodes));
    const replay = await inContext(shell.app.database.app, student, (trx) =>
      replayRun(trx, shell.services.rules, run?.id ?? ''),
    );
    assert.equal(replay, { runId: run?.id, match: true, mismatches: [] });
  });
}

const shownOfDomain = [
  'status',
  'outcome',
  'inScope',
  'decided',
  'coverageOk',
  'rawWeightedDeficitRate',
  'gatewaySeverity',
  'severePath',
  'modifiers',
  'ruleId',
];

const skillSummary = (skill: SkillBody): [string, object] => [
  skill.subSkillCode,
  {
    ...pick(skill, ['status', 'outcome', 'reason', 'confidence', 'decision_strength', 'modifiers', 'ruleId']),
    ...pick(skill.evidence, ['distinctItems', 'sessionCount', 'rawDeficitRate', 'deficitBand']),
    action: skill.nextRecommendedDataAction ?? null,
    itemsNeeded: skill.itemsNeeded ?? null,
  },
];

const expectedSkill = ({ facts, rules, ...skill }: GoldenSkill) => ({
  ...pick({ ...skill }, ['status', 'outcome', 'confidence', 'decision_strength', 'modifiers']),
  ...pick(facts, ['distinctItems', 'sessionCount', 'deficitBand']),
  reason: skill.pacReason,
  ruleId: rules.ssr,
  rawDeficitRate: facts.rawRate,
  action: skill.nextRecommendedDataAction ?? null,
  itemsNeeded: skill.itemsNeeded ?? null,
});

const pick = (from: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

const mapValues = <V, W>(from: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));

/**
 * Counts how often each rule gave each code, because the service orders responses by session, the golden cases by
 * sub-skill.
 */
function tallied(codes: readonly { readonly ruleId: string; readonly code: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { ruleId, code } of codes) counts[`${ruleId} ${code}`] = (counts[`${ruleId} ${code}`] ?? 0) + 1;
  return counts;
}

test.run();
