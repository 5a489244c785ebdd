// timeout: 180s
// What a report says against counts made by hand: every student evaluated twice, and what an activation then really does.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  compilePipeline,
  evaluateStudent,
  type Pipeline,
  type StudentEvaluation,
} from '#assessment/skill-status/engine/evaluate.ts';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { readRun, type StoredRun } from '#assessment/skill-status/results/stored-input.ts';
import type { RunRow } from '#assessment/skill-status/results/tables.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { decide, overlaid, type RuleDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import {
  buildPlace,
  edited,
  impactOf,
  january,
  layerOf,
  type Place,
  type Report,
  ruleOf,
  setConstant,
  weakGatewaysNoLonger,
} from './world.ts';

const test = suite('the report of an impact');
const shell = useShell(test);
const { owner } = shell.app.database;
let place: Place;
let other: Place;

test.before(async () => {
  shell.app.clock.set(january(10));
  place = await buildPlace(shell, 5, 1);
  other = await buildPlace(shell, 3, 99);
});

const everybody = () => ({ scope: { organizationId: place.organizationId } });

type Counted = Record<string, number>;

async function newestRuns(): Promise<RunRow[]> {
  const rows: StoredRun[] = await inContext(owner, 'SUPER', (trx) =>
    trx('sse_run').where({ organizationId: place.organizationId }).orderBy('seq'),
  );
  return rows.map(readRun);
}

async function bothEvaluations(documents: readonly RuleDocument[]) {
  const pipelines = [compilePipeline(bundle), compilePipeline(overlaid(bundle, documents))];
  return (await newestRuns()).map(({ studentId, input, grade }) => {
    const whole = { ...input, grade, asOf: january(10), contextReviewActive: false };
    const [before, after] = pipelines.map((pipeline: Pipeline) => evaluateStudent(whole, pipeline));
    if (!before || !after) throw new Error('two pipelines');
    return { studentId, before, after };
  });
}

const skillStatuses = ({ subSkills }: StudentEvaluation) =>
  subSkills
    .filter(({ outcome }) => outcome !== 'not_assessed')
    .map((one) => [one.subSkill.code, one.outcome === 'decided' ? one.status : one.outcome]);
const domainStatuses = ({ domains }: StudentEvaluation) =>
  domains
    .filter(({ outcome }) => outcome !== 'not_in_scope')
    .map((one) => [one.domain.code, one.outcome === 'decided' ? one.status : one.outcome]);
const tileStatuses = ({ tiles, global }: StudentEvaluation) => [
  ...tiles.filter(({ applicable }) => applicable).map(({ tile, status }) => [tile.code, status]),
  ['GLOBAL', global.status],
];

type Words = (evaluation: StudentEvaluation) => (string | undefined)[][];

function countByHand(pairs: readonly { before: StudentEvaluation; after: StudentEvaluation }[], words: Words): Counted {
  const counted: Counted = {};
  for (const { before, after } of pairs) {
    const later = new Map(words(after).map(([code, word]) => [code, word]));
    for (const [code, word] of words(before)) {
      const key = `${word} → ${later.get(code)}`;
      counted[key] = (counted[key] ?? 0) + 1;
    }
  }
  return counted;
}

const matrixOf = (report: Report, layer: string): Counted =>
  Object.fromEntries(
    layerOf(report, layer).transitions.map(({ from, to, count }: Report) => [`${from} → ${to}`, count]),
  );

test('transitions of sub-skills, domains and tiles are those of two evaluations of every student', async () => {
  const document = weakGatewaysNoLonger();
  const { report } = await impactOf(shell, document, everybody());
  const pairs = await bothEvaluations([document]);
  assert.is(pairs.length, 15);
  assert.equal(matrixOf(report, 'SSR'), countByHand(pairs, skillStatuses));
  assert.equal(matrixOf(report, 'DDR'), countByHand(pairs, domainStatuses));
  assert.equal(matrixOf(report, 'TILE'), countByHand(pairs, tileStatuses));
  assert.ok((matrixOf(report, 'SSR')['weak_gateway → weak_isolated'] ?? 0) >= 3, 'something changes');
  const changed = pairs.filter(
    ({ before, after }) => canonicalJson(skillStatuses(before)) !== canonicalJson(skillStatuses(after)),
  );
  assert.equal(report.students, { total: 15, evaluated: 15, withoutResults: 0, changed: changed.length, restated: 0 });
  assert.is(report.ruleHits.length >= 60, true);
});

test('layers before the change have no change, and directions follow the scale', async () => {
  const { report } = await impactOf(shell, weakGatewaysNoLonger(), everybody());
  for (const layer of ['ADR', 'CIS', 'PAC']) {
    assert.is(layerOf(report, layer).changed, 0, layer);
    assert.ok(layerOf(report, layer).compared > 0, layer);
  }
  const ssr = layerOf(report, 'SSR');
  const step = ssr.transitions.find(({ from, to }: Report) => from === 'weak_gateway' && to === 'weak_isolated');
  assert.is(step.direction, 'better');
  assert.is(ssr.better, step.count);
  assert.is(ssr.worse + ssr.lateral, 0);
  const same = ssr.transitions.filter(({ direction }: Report) => direction === 'same');
  assert.ok(same.every(({ from, to, exemplars }: Report) => from === to && exemplars.length === 0));
  assert.is(ssr.compared, ssr.changed + same.reduce((sum: number, { count }: Report) => sum + count, 0));
});

test('rule hits before and after are those of the evaluations', async () => {
  const document = weakGatewaysNoLonger();
  const { report } = await impactOf(shell, document, everybody());
  const pairs = await bothEvaluations([document]);
  const hits = (document: string, ruleId: string) =>
    report.ruleHits.find((one: Report) => one.document === document && one.ruleId === ruleId);
  const count = (
    rule: (evaluation: StudentEvaluation) => (string | null)[],
    ruleId: string,
    side: 'before' | 'after',
  ) => pairs.flatMap((pair) => rule(pair[side])).filter((id) => id === ruleId).length;
  const ofSkills = ({ subSkills }: StudentEvaluation) =>
    subSkills.map((one) => (one.outcome === 'not_assessed' ? null : one.ssrRuleId));
  const ofDomains = ({ domains }: StudentEvaluation) =>
    domains.map(({ ruleId, outcome }) => (outcome === 'not_in_scope' ? null : ruleId));
  for (const { name } of [...(document.rules as { name: string }[])]) {
    const { before, after } = hits('ssr/ssr', name);
    assert.equal([before, after], [count(ofSkills, name, 'before'), count(ofSkills, name, 'after')], name);
  }
  assert.is(hits('ddr/ddr', 'DDR-04').before, count(ofDomains, 'DDR-04', 'before'));
  assert.is(hits('ddr/ddr', 'DDR-04').after, count(ofDomains, 'DDR-04', 'after'));
  const bands = report.ruleHits.filter((one: Report) => one.document === 'bnd/bnd');
  const rated = pairs.flatMap(({ before }) =>
    before.subSkills.filter((one) => one.outcome !== 'not_assessed' && one.confirmation.facts.rawRate !== null),
  );
  assert.is(
    bands.reduce((sum: number, { before }: Report) => sum + before, 0),
    rated.length,
  );
});

test('exemplars: the ten smallest students, each once, with facts that give the answers', async () => {
  const document = weakGatewaysNoLonger();
  const { report } = await impactOf(shell, document, everybody());
  const pairs = await bothEvaluations([document]);
  const step = layerOf(report, 'SSR').transitions.find(
    ({ from, to }: Report) => from === 'weak_gateway' && to !== from,
  );
  const touched = pairs
    .filter(({ before }) => skillStatuses(before).some(([, status]) => status === 'weak_gateway'))
    .map(({ studentId }) => studentId)
    .sort((left, right) => left - right);
  assert.equal(
    step.exemplars.map(({ studentId }: Report) => studentId),
    touched.slice(0, 10),
  );
  const tables = [bundle.table('ssr/ssr'), overlaid(bundle, [document]).table('ssr/ssr')];
  for (const { before, after, stampId, studentId, subject } of step.exemplars) {
    assert.is(before.ruleId, 'SSR-08');
    for (const [at, side] of [before, after].entries()) {
      const table = tables[at];
      if (!table) throw new Error('two tables');
      const { ruleId, outcome, trace } = decide(table, side.facts, { trace: true });
      assert.equal({ ruleId, outcome, trace }, { ruleId: side.ruleId, outcome: side.outcome, trace: side.trace });
    }
    const [kind, id] = stampId.split(':');
    assert.is(kind, 'skill');
    const row = await inContext(owner, 'SUPER', (trx) =>
      trx('sse_skill_snapshot')
        .where({ id: Number(id) })
        .first(),
    );
    assert.equal([row.studentId, row.subSkillCode, row.status], [studentId, subject, 'weak_gateway']);
  }
  const tile = layerOf(report, 'TILE').transitions.find(({ exemplars }: Report) => exemplars.length > 0);
  assert.match(tile?.exemplars[0].stampId ?? 'tile:none', /^tile:/);
});

test('a change of words alone changes nothing for any person', async () => {
  const document = edited('ssr/ssr', (draft) => {
    ruleOf(draft, 'SSR-08').rationale = 'Stated in other words.';
  });
  const { report } = await impactOf(shell, document, everybody());
  assert.is(report.students.changed, 0);
  for (const { layer, changed, better, worse, lateral } of report.layers) {
    assert.equal([changed, better, worse, lateral], [0, 0, 0, 0], layer);
  }
  assert.ok(report.ruleHits.every(({ before, after }: Report) => before === after));
  assert.equal(report.announcements, { skillSnapshots: 0, domainSnapshots: 0, macroUpdates: 0 });
});

test('school and class scopes hold their students only, and another organization is never seen', async () => {
  const document = weakGatewaysNoLonger();
  const whole = (await impactOf(shell, document, everybody())).report;
  const schools: Report[] = [];
  for (const schoolId of place.schools) schools.push((await impactOf(shell, document, { scope: { schoolId } })).report);
  assert.equal(
    schools.map(({ students }) => students.total),
    [10, 5],
  );
  assert.is(schools[0].students.changed + schools[1].students.changed, whole.students.changed);
  const share = (changed: number, students: number) => Math.round((changed / students) * 1e4) / 1e4;
  const expected = place.schools
    .map((schoolId, at) => {
      const { changed, evaluated } = schools[at].students;
      return { schoolId, students: evaluated, changed, share: share(changed, evaluated) };
    })
    .sort((left, right) => (left.schoolId < right.schoolId ? -1 : 1));
  assert.equal(whole.bySchool, expected);
  const grades = [];
  for (const { id: classId } of place.classes) {
    const { students } = (await impactOf(shell, document, { scope: { classId } })).report;
    grades.push({
      grade: grades.length + 1,
      students: 5,
      changed: students.changed,
      share: share(students.changed, 5),
    });
  }
  assert.equal(whole.byGrade, grades);
  const shown = whole.layers.flatMap(({ transitions }: Report) =>
    transitions.flatMap(({ exemplars }: Report) => exemplars.map(({ studentId }: Report) => studentId)),
  );
  assert.ok(shown.every((id: number) => place.studentIds.includes(id)));
  assert.not.ok(shown.some((id: number) => other.studentIds.includes(id)));
});

test('as of a day before the results there is nothing to compare', async () => {
  const { report } = await impactOf(shell, weakGatewaysNoLonger(), { ...everybody(), asOf: january(9, 23) });
  assert.equal(report.students, { total: 15, evaluated: 0, withoutResults: 15, changed: 0, restated: 0 });
  assert.equal([report.recomputes, report.announcements.macroUpdates, report.bySchool.length], [0, 0, 0]);
});

/** Publishes and activates documents past the workbench. */
async function activate(documents: readonly RuleDocument[], at: string): Promise<void> {
  await inContext(owner, 'SUPER', async (trx) => {
    const { rules } = await shell.services.rules.at(trx, new Date(at));
    const versions: Record<string, number> = { ...rules.versions };
    for (const document of documents) {
      const { family, key, version } = document.meta;
      const text = canonicalJson(document);
      versions[`${family}/${key}`] = version;
      await trx('rule_version').insert({
        family,
        key,
        version,
        document: text,
        sha256: sha256Hex(text),
        publishedAt: at,
      });
    }
    const id = newId();
    await trx('rule_bundle').insert({ id, versions: JSON.stringify(versions), createdAt: at });
    const kind = 'activate';
    await trx('rule_activation').insert({
      bundleId: id,
      activeFrom: at,
      reason: 'evidence_update',
      createdAt: at,
      kind,
    });
  });
}

const rowCounts = () =>
  inContext(owner, 'SUPER', async (trx) => {
    const count = async (table: string, where: object) =>
      Number((await trx(table).where(where).count('* as n').first())?.n);
    const own = { organizationId: place.organizationId };
    return {
      skillSnapshots: await count('sse_skill_snapshot', own),
      domainSnapshots: await count('sse_domain_snapshot', own),
      macroUpdates: await count('outbox', { ...own, topic: 'macro.updated' }),
    };
  });

for (const [name, documents] of [
  ['escalation', [edited('esc/esc', (draft) => (draft.rules = draft.rules.slice(0, 1)))]],
  ['the weight of a marked error', [edited('adr/adr', (draft) => (ruleOf(draft, 'ADR-10').event.params.deficit = 1))]],
  ['the window', [edited('dth/dth', (draft) => setConstant(draft, 'DTH-WIN-01', 1))]],
  [
    'confidence',
    [
      edited('dth/dth', (draft) => {
        draft.meta.version += 1;
        setConstant(draft, 'DTH-CON-01', 9);
      }),
    ],
  ],
] as const) {
  test(`what is announced is what an activation of ${name} writes`, async () => {
    const [document] = documents;
    const { report } = await impactOf(shell, document, everybody());
    const before = await rowCounts();
    await activate(documents, january(10));
    await recomputeStudents(shell.services, place.organizationId, place.studentIds);
    const after = await rowCounts();
    assert.equal(report.announcements, {
      skillSnapshots: after.skillSnapshots - before.skillSnapshots,
      domainSnapshots: after.domainSnapshots - before.domainSnapshots,
      macroUpdates: after.macroUpdates - before.macroUpdates,
    });
    assert.is(report.recomputes, 15);
  });
}

test.run();
