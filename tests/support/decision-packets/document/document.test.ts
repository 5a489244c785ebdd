// The printed packet: the same row gives the same bytes, and its text can be extracted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { renderPdf } from '#core/platform/pdf/printer.ts';
import type { PacketStudent } from '#support/decision-packets/document/packet-student.ts';
import {
  type FrozenPacket,
  mostPrinted,
  type Names,
  printedPacket,
} from '#support/decision-packets/document/printed.ts';
import type { EvidenceItem } from '#support/decision-packets/evidence/types.ts';
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

const bytesOf = (of: FrozenPacket, by: PacketStudent = whose) => renderPdf(printedPacket(of, names, by));

const textOf = (pdf: Buffer): string => letterText(pdf, '-layout');

test('the same packet gives the same bytes, another one others; Arabic, with its font inside', async () => {
  const [first, second] = [await bytesOf(packet), await bytesOf(packet)];
  assert.ok(first.equals(second));
  assert.not.ok(first.equals(await bytesOf({ ...packet, status: 'rejected' })));
  const text = first.toString('latin1');
  for (const part of ['/Lang (ar)', '/FontFile2', '/MediaBox [0 0 595.28 841.89]']) assert.match(text, part);
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
