// Decision packets for the meeting: one with more evidence than is printed, and one that is under review without evidence.

import { renderPdf } from '#core/platform/pdf/printer.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { namesIn, packetDocuments } from '#support/decision-packets/document/names.ts';
import type { PacketStudent } from '#support/decision-packets/document/packet-student.ts';
import { type FrozenPacket, mostPrinted, printedPacket } from '#support/decision-packets/document/printed.ts';
import { type EvidenceItem, evidenceTypes } from '#support/decision-packets/evidence/types.ts';
import type { PacketFigures, PacketPlan, PacketSeries } from '#support/decision-packets/rows/figures.ts';
import { compileBundles } from '#support/interventions/engine/bundles/catalogue.ts';
import { longName, personName, schoolName } from './people.ts';
import type { Sample } from './sample.ts';

const values: Readonly<Record<EvidenceItem['type'], Partial<EvidenceItem>>> = {
  sse_snapshot: { subSkillCode: 'DEC_WORD', domainCode: 'DEC', valueCode: 'weak_gateway' },
  domain_status: { domainCode: 'DEC', valueCode: 'monitor' },
  cbm_trend: { measure: 'ORF_WCPM', valueCode: 'trend_below_goal' },
  cbm_probe: { measure: 'ORF_WCPM', valueCode: 'monitoring' },
  fidelity_snapshot: { valueCode: 'pass' },
  assignment: { subSkillCode: 'DEC_WORD', valueCode: 'active' },
  step_goal: { subSkillCode: 'DEC_WORD', valueCode: 'not_met' },
  alert: { valueCode: 'Skill_Alert' },
  tier_movement: { valueCode: '1_2' },
  skill_state: { subSkillCode: 'DEC_WORD', valueCode: 'on_track' },
  context_flag: { valueCode: 'long_absence' },
  observation: { subSkillCode: 'DEC_WORD', valueCode: 'read_with_flow' },
};

const evidenceItem = (at: number): EvidenceItem => {
  const type = evidenceTypes[at % evidenceTypes.length] ?? 'alert';
  const day = String(1 + (at % 28)).padStart(2, '0');
  return {
    ...{ evidenceId: `${type}:${at}`, type, refId: String(at), occurredAt: `2026-01-${day}T06:30:00.000Z` },
    ...{ subSkillCode: null, domainCode: null, measure: null, valueCode: '', ruleVersion: 'SSR@2' },
    ...{ voidId: null, ...values[type] },
  };
};

interface GatesDocument {
  readonly gates: readonly { readonly gateId: string }[];
}

/** A packet in which some gates hold, one fails, and those of another decision were not asked. */
function approvedPacket(bundle: RuleBundle): FrozenPacket {
  const { gates } = bundle.values<GatesDocument>('rti/decision-packet');
  return {
    ...{ id: 'abcdefghijklmnopqrstuvwx', organizationId: 'o', studentId: 4321, reviewType: 'intensive_review' },
    ...{ status: 'approved', alertId: null, openedBy: 1, openedAt: '2026-01-20T21:30:00.000Z' },
    ...{ timeZone: 'Asia/Riyadh', assembledAt: '2026-01-21T08:00:00.000Z', fromTier: 2, evidenceFrom: '2025-12-01' },
    evidence: Array.from({ length: mostPrinted + 25 }, (_, at) => evidenceItem(at)),
    evidenceHash: '0123456789abcdef'.repeat(4),
    recommendation: {
      ...{ recommendationId: '0'.repeat(32), studentId: 4321, outcome: 'recommended', fromTier: 2 },
      ...{ decision: 'escalate', toTier: 3, ruleId: 'TRC-07', reason: 'NONE', dataSufficiency: 'sufficient' },
      ...{ progress: 'below', requiredPacket: 'intensive_review', nextRecommendedDataAction: null, ruleVersions: {} },
      fidelity: { planned: 21, credited: 18, rate: 0.8571, gate: 'pass' },
    },
    facts: null,
    figures: figuresOf(bundle),
    gates: gates.map(({ gateId }, at) => {
      if (at === 1) return { gateId, met: false, issue: 'evidence_stale' };
      return at < 6 ? { gateId, met: true, issue: null } : { gateId, met: null, issue: 'not_asked' };
    }),
    ...{ decision: 'escalate', toTier: 3, decisionId: 'd', movementId: 7, overrideCode: 'Pkt_Team_Judgement_08' },
    ...{ deferralCode: null, deferUntil: null, rejectReasonCode: null },
    ...{ closedBy: 2, closedAt: '2026-01-22T08:00:00.000Z' },
    ruleVersions: stampOf(bundle),
  };
}

const probes: PacketSeries['points'] = [
  ...[22, 25, 24].map((score, at) => ({
    date: `2025-09-${21 + at}`,
    score,
    role: 'baseline' as const,
    aim: at === 2 ? 24 : null,
  })),
  { date: '2025-09-28', score: 31, role: 'not_comparable', aim: 24.8 },
  ...[26, 27, 25, 29, 28, 30.5, 29, 31, 30, 32].map((score, at) => {
    const date = daysAfter('2025-10-05', at * 10);
    return { date, score, role: 'monitoring' as const, aim: 24 + (at * 10 + 12) * 0.1446 };
  }),
];

/** A series below its line, and two plans: one of two bundles in a row, one that has not begun. */
function figuresOf(bundle: RuleBundle): PacketFigures {
  const { byId } = compileBundles(bundle);
  const planOf = (bundleId: string, done: number): PacketPlan => {
    const { nameAr = '', steps = [] } = byId.get(bundleId) ?? {};
    return {
      ...{ assignmentId: bundleId, nameAr, state: done > 0 ? 'active' : 'scheduled' },
      ...{ startOn: '2025-10-05', currentStepNo: done + 1 },
      steps: steps.map(({ stepNo, sessionRole, plannedSessions, goal }) => ({
        ...{ stepNo, sessionRole, plannedSessions, deliveredSessions: stepNo <= done ? plannedSessions : 0 },
        goalState: goal === null ? 'none' : stepNo > done ? 'pending' : stepNo % 2 === 0 ? 'met' : 'not_met',
      })),
    };
  };
  return {
    measure: 'ORF_WCPM',
    series: {
      trendType: 'trend_below_goal',
      ...{ baseline: { score: 24, date: '2025-09-23' }, goal: { score: 60, date: '2026-05-31' }, points: probes },
    },
    plans: [planOf('CSP-BROAD-01', 7), planOf('SUP-DECODE-01', 0)],
    ruleIds: ['RAL-03', 'DSF-99', 'TRC-07'],
  };
}

const stampOf = ({ versions }: RuleBundle): Record<string, number> =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => packetDocuments.includes(name)));

const withoutEvidence = (packet: FrozenPacket): FrozenPacket => ({
  ...packet,
  ...{ status: 'under_review', evidence: [], evidenceFrom: null, recommendation: null, gates: [], decision: null },
  ...{ toTier: null, decisionId: null, movementId: null, overrideCode: null, closedBy: null, closedAt: null },
  figures: { measure: null, series: null, plans: [], ruleIds: ['DSF-04', 'TRC-05'] },
});

export function packetSamples(bundle: RuleBundle): readonly Sample[] {
  const names = namesIn(bundle);
  const approved = approvedPacket(bundle);
  const student: PacketStudent = {
    ...{ studentNameAr: `${personName(3)} (ب) S-77`, className: 'الثاني ب', schoolName: schoolName(3) },
    organizationName: 'مؤسسة البيان للتعليم',
  };
  const make = (packet: FrozenPacket, whose: PacketStudent) => () => renderPdf(printedPacket(packet, names, whose));
  return [
    { name: 'decision-packet.pdf', make: make(approved, student) },
    {
      name: 'decision-packet-without-evidence.pdf',
      make: make(withoutEvidence(approved), { ...student, studentNameAr: longName }),
    },
  ];
}
