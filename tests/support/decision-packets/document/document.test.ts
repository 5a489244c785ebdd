// The printed packet: the same row gives the same bytes, and its text can be extracted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { renderPdf } from '#core/platform/pdf/printer.ts';
import { loadRules } from '#rules/rulesets/files.ts';
import { documentName } from '#rules/rulesets/index.ts';
import { packetLabels, sessionRoleWords } from '#support/decision-packets/document/arabic-labels.ts';
import type { PacketStudent } from '#support/decision-packets/document/packet-student.ts';
import {
  type FrozenPacket,
  mostPrinted,
  type Names,
  printedPacket,
} from '#support/decision-packets/document/printed.ts';
import { ruleSentences } from '#support/decision-packets/document/rule-sentences.ts';
import type { EvidenceItem } from '#support/decision-packets/evidence/types.ts';
import type { PacketFigures } from '#support/decision-packets/rows/figures.ts';
import { canReadPages, letterText, needsReader } from '../../../core/platform/pdf/pdf-text.ts';
import { skipped } from '../../../harness/needs.ts';

const names: Names = {
  ofReview: () => 'مراجعة الدعم المكثف',
  ofGate: () => 'نُفّذت الخطة',
  ofSkill: (code) => (code === 'DEC_WORD' ? 'قراءة كلمة' : undefined),
  ofDomain: () => 'فك الترميز',
  ofReason: () => 'رأي الفريق',
  ofFlag: () => 'غياب طويل',
  ofObservation: (code) => (code === 'read_with_flow' ? 'قرأ بانسياب' : undefined),
};

const item = (type: EvidenceItem['type'], refId: string, more: Partial<EvidenceItem>): EvidenceItem => ({
  ...{ evidenceId: `${type}:${refId}`, type, refId, occurredAt: '2026-01-14T21:00:00.000Z' },
  ...{ subSkillCode: null, domainCode: null, measure: null, valueCode: 'adequate', ruleVersion: 'SSR@1', voidId: null },
  ...more,
});

const hash = '0123456789abcdef'.repeat(4);
const packet: FrozenPacket = {
  ...{ id: 'abcdefghijklmnopqrstuvwx', organizationId: 'o', studentId: 4321, reviewType: 'intensive_review' },
  ...{ status: 'approved', alertId: null, openedBy: 1, openedAt: '2026-01-20T21:30:00.000Z', timeZone: 'Asia/Riyadh' },
  ...{ assembledAt: '2026-01-21T08:00:00.000Z', fromTier: 2, evidenceFrom: '2025-12-01', evidenceHash: hash },
  evidence: [
    item('sse_snapshot', '1', { subSkillCode: 'DEC_WORD', domainCode: 'DEC', valueCode: 'weak_gateway' }),
    item('context_flag', '2', { valueCode: 'long_absence' }),
    item('tier_movement', '3', { valueCode: '1_2' }),
    item('observation', '4', { subSkillCode: 'DEC_WORD', valueCode: 'read_with_flow' }),
  ],
  recommendation: {
    ...{ recommendationId: '0'.repeat(32), studentId: 4321, outcome: 'recommended', fromTier: 2 },
    ...{ decision: 'escalate', toTier: 3, ruleId: 'TRC-07', reason: 'NONE', dataSufficiency: 'sufficient' },
    ...{ progress: 'below', requiredPacket: 'intensive_review', nextRecommendedDataAction: null, ruleVersions: {} },
    fidelity: { planned: 21, credited: 18, rate: 0.8571, gate: 'pass' },
  },
  facts: null,
  figures: null,
  gates: [
    { gateId: 'GTE-05', met: true, issue: null },
    { gateId: 'GTE-07', met: false, issue: 'evidence_stale' },
    { gateId: 'GTE-08', met: null, issue: 'not_asked' },
  ],
  ...{ decision: 'escalate', toTier: 3, decisionId: 'd', movementId: 7, overrideCode: 'Pkt_Team_Judgement_08' },
  ...{
    deferralCode: null,
    deferUntil: null,
    rejectReasonCode: null,
    closedBy: 2,
    closedAt: '2026-01-22T08:00:00.000Z',
  },
  ruleVersions: {},
};

const whose: PacketStudent = {
  ...{ studentNameAr: 'سارة محمد العلي (أ) S-77', className: 'الثاني ب', schoolName: 'مدرسة النور' },
  organizationName: 'مؤسسة البيان',
};

const figures: PacketFigures = {
  measure: 'ORF_WCPM',
  series: {
    trendType: 'trend_below_goal',
    ...{ baseline: { score: 22, date: '2025-10-07' }, goal: { score: 61.4, date: '2026-05-31' } },
    points: [
      { date: '2025-10-07', score: 22, role: 'baseline', aim: 22 },
      { date: '2025-11-02', score: 25.5, role: 'monitoring', aim: 26.3428 },
      { date: '2025-11-09', score: 33, role: 'not_comparable', aim: 27.5 },
      { date: '2025-11-23', score: 27, role: 'monitoring', aim: 29.8 },
    ],
  },
  plans: [
    {
      ...{ assignmentId: 'a', nameAr: 'حزمة فك الرمز', state: 'active', startOn: '2025-11-02', currentStepNo: 2 },
      steps: [
        { stepNo: 1, sessionRole: 'EXPLICIT_TEACHING', plannedSessions: 4, deliveredSessions: 4, goalState: 'none' },
        { stepNo: 2, sessionRole: 'PROGRESS_CHECK', plannedSessions: 2, deliveredSessions: 1, goalState: 'pending' },
        { stepNo: 3, sessionRole: 'LATER_ROLE', plannedSessions: 3, deliveredSessions: 0, goalState: 'not_met' },
      ],
    },
  ],
  ruleIds: ['RAL-03', 'DSF-99', 'TRC-07', 'TRC-70'],
};

const bytesOf = (of: FrozenPacket, by: PacketStudent = whose) => renderPdf(printedPacket(of, names, by));

const textOf = (pdf: Buffer): string => letterText(pdf, '-layout');

test('the same packet gives the same bytes, another one others; Arabic, with its font inside', async () => {
  const [first, second] = [await bytesOf(packet), await bytesOf(packet)];
  assert.ok(first.equals(second));
  assert.not.ok(first.equals(await bytesOf({ ...packet, status: 'rejected' })));
  const text = first.toString('latin1');
  for (const part of ['/Lang (ar)', '/FontFile2', '/MediaBox [0 0 595.28 841.89]']) assert.match(text, part);
});

test('every rule that leads to a recommendation has a sentence, and every session of a step a name', async () => {
  const rules = await loadRules('rules');
  const named = new Set(['rti/alerts', 'rti/data-sufficiency', 'rti/tier-recommendation']);
  const documents = rules.map(({ document }) => document);
  const ids = documents
    .filter((document) => named.has(documentName(document)))
    .flatMap((document) => (document as unknown as { rules: { name: string }[] }).rules.map(({ name }) => name));
  assert.ok(ids.length > 20);
  assert.equal(
    ids.filter((id) => !/^[\p{Script=Arabic}\p{M} :،.]+$/u.test(ruleSentences[id] ?? '')),
    [],
  );
  const { bundles } = documents.find((one) => documentName(one) === 'bundle/catalogue') as unknown as {
    bundles: { steps: { sessionRole: string }[] }[];
  };
  const roles = bundles.flatMap(({ steps }) => steps.map(({ sessionRole }) => sessionRole));
  assert.equal([...new Set(roles)].sort(), Object.keys(sessionRoleWords).sort());
});

if (!canReadPages) skipped('text of a printed packet', needsReader);
else {
  test('hash, gates, decision and every piece of evidence can be read out of it', async () => {
    const text = textOf(await bytesOf(packet));
    const lines = text.split('\n');
    const line = (...parts: string[]) => lines.some((one) => parts.every((part) => one.includes(part)));
    assert.ok(line(hash), text);
    assert.ok(line('4321', 'رقم الطالب'), text);
    assert.ok(line('GTE-05', 'متحقق'), text);
    assert.ok(line('GTE-07', 'غير متحقق', 'evidence_stale'), text);
    assert.ok(line('رأي الفريق'), text);
    const ofUnasked = lines.find((one) => one.includes('GTE-08')) ?? '';
    assert.match(ofUnasked, 'لا يُشترط لهذا القرار');
    assert.not.match(ofUnasked, /متحقق|not_asked/);
    assert.ok(line('18 / 21'), text);
    // Local midnight of the 15th, and half past midnight of the 21st.
    assert.ok(line('2026/1/15', 'حالة مهارة', 'قراءة كلمة', 'حاجة في مهارة محورية'), text);
    assert.ok(line('2026/1/21', 'تاريخ الفتح'), text);
    assert.ok(line('2026/1/15', 'ظرف', 'غياب طويل'), text);
    assert.ok(line('2026/1/15', 'انتقال', 'إلى 2'), text);
    assert.ok(line('2026/1/15', 'ملاحظة في جلسة', 'قراءة كلمة', 'قرأ بانسياب'), text);
  });

  test('the measure with its aim line, the plans with their steps, and a sentence for each rule', async () => {
    const pdf = await bytesOf({ ...packet, figures });
    const text = textOf(pdf);
    const lines = text.split('\n');
    const line = (...parts: string[]) =>
      assert.ok(
        lines.some((one) => parts.every((part) => one.includes(part))),
        `${parts.join(' ')}\n${text}`,
      );
    for (const id of ['RAL-03', 'DSF-99', 'TRC-07']) line(id, ruleSentences[id]?.split(' ')[1] ?? '');
    line('TRC-70', packetLabels.otherRule);
    line('خط البداية', '22', '2025/10/7');
    line('61.4', '2026/5/31');
    line('الاتجاه', 'دون خط الهدف');
    line('2025/11/2', '25.5', '26.3', 'متابعة');
    line('2025/11/9', '33', '27.5', 'غير قابل للمقارنة');
    line('حزمة فك الرمز', 'جارية');
    line('4 / 4', 'تعليم صريح', 'بلا هدف');
    line('1 / 2', 'تحقق من التقدم', 'الخطوة الحالية', 'قيد العمل');
    line('0 / 3', 'LATER_ROLE', 'لم يتحقق');
    for (const label of ['2025/10/7', '2026/5/31', '80']) assert.match(text, label);
    assert.not.match(pdf.toString('latin1'), /\/Subtype ?\/Image/);
  });

  test('a packet of before has none of it; one without a measure, probes or plans states that', async () => {
    const headings = [packetLabels.reasons, packetLabels.measure, packetLabels.plans];
    const before = textOf(await bytesOf(packet));
    for (const heading of headings) assert.not.match(before, heading);
    const empty = { measure: null, series: null, plans: [], ruleIds: ['DSF-04', 'TRC-05'] };
    const without = textOf(await bytesOf({ ...packet, figures: empty }));
    for (const part of [...headings, packetLabels.noPlans, 'لا قياس متكرر للمجال']) assert.match(without, part);
    const unmeasured = textOf(await bytesOf({ ...packet, figures: { ...empty, measure: 'ORF_WCPM' } }));
    assert.match(unmeasured, packetLabels.noProbes.slice(0, 20));
    const unaimed = { ...figures.series, baseline: null, goal: null } as PacketFigures['series'];
    const text = textOf(await bytesOf({ ...packet, figures: { ...figures, series: unaimed } }));
    assert.not.match(text, packetLabels.baseline);
    assert.match(text, '2025/11/23');
  });

  test('each page names the student and is marked confidential; the last one has lines for signatures', async () => {
    const evidence = Array.from({ length: 120 }, (_, at) => item('alert', String(at), { valueCode: 'Skill_Alert' }));
    const pages = textOf(await bytesOf({ ...packet, evidence }))
      .split('\f')
      .filter((page) => page.trim() !== '');
    assert.ok(pages.length >= 4, String(pages.length));
    for (const page of pages) {
      for (const part of ['سري – مؤسسة البيان', 'سارة محمد العلي (أ)', 'S-77', 'الثاني ب', 'مدرسة النور'])
        assert.match(page, part);
    }
    for (const label of ['من أعد الملف', 'من اتخذ القرار', 'التوقيع']) assert.match(pages.at(-1) ?? '', label);
    assert.not.match(pages[0] ?? '', /\d{4}-\d\d-\d\d/);
  });

  test('long names wrap without loss; an erased name is marked as erased', async () => {
    const long = (word: string) => `${word} `.repeat(200).slice(0, 200).trim();
    const names = {
      studentNameAr: long('عبدالرحمن'),
      className: long('فصل'),
      schoolName: long('مدرسة'),
      organizationName: 'مؤسسة البيان',
    };
    const text = textOf(await bytesOf(packet, names));
    const pages = text.split('\f').filter((page) => page.trim() !== '');
    for (const page of pages) {
      for (const [word, times] of [
        ['عبدالرحمن', 20],
        ['مدرسة', 33],
      ] as const)
        assert.ok((page.match(new RegExp(word, 'g'))?.length ?? 0) >= times, page);
    }
    for (const part of [hash, 'رأي الفريق', 'حالة مهارة', 'التوقيعات']) assert.match(text, part);
    const gone = { studentNameAr: null, className: null, schoolName: null, organizationName: 'مؤسسة البيان' };
    assert.match(textOf(await bytesOf(packet, gone)), 'حُذف الاسم');
  });

  test('a packet that was never assembled is refused; one with more evidence than is printed states how much more', async () => {
    const bare: FrozenPacket = {
      ...{ ...packet, status: 'rejected', assembledAt: null, fromTier: null, evidenceFrom: null, evidence: [] },
      ...{ evidenceHash: null, recommendation: null, gates: [], decision: null, toTier: null, overrideCode: null },
      rejectReasonCode: 'Opened_In_Error',
    };
    assert.match(textOf(await bytesOf(bare)), 'في هذا الملف');
    const evidence = Array.from({ length: mostPrinted + 7 }, (_, at) =>
      item('alert', String(at), { valueCode: 'Skill_Alert' }),
    );
    const text = textOf(await bytesOf({ ...packet, evidence }));
    assert.is(text.match(/تنبيه مهارة/g)?.length, mostPrinted);
    assert.ok(
      text.split('\n').some((one) => one.includes('أقدم') && /\b7\b/.test(one)),
      text.slice(-500),
    );
  });
}

test.run();
