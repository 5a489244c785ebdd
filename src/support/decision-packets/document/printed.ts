// Lays out a packet as a document for a meeting, from frozen data only.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import type { Row } from '#core/platform/model.ts';
import { ruled } from '#core/platform/pdf/layouts.ts';
import type { Printed } from '#core/platform/pdf/printer.ts';
import { arabic, latin } from '#core/platform/pdf/text.ts';
import { versionLines } from '#core/platform/pdf/version-lines.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { DueState } from '../../rti/index.ts';
import type { EvidenceItem } from '../evidence/types.ts';
import type { DecisionPacket } from '../rows/store.ts';
import {
  decisionWords,
  evidenceWords,
  packetLabels,
  statusWords,
  sufficiencyWords,
  valueWords,
} from './arabic-labels.ts';
import type { PacketStudent } from './packet-student.ts';
import { packetFoot, pageHead, printedDate, signatures } from './paper.ts';
import { figuresOf } from './printed-figures.ts';

/** The columns that change only with a transition of the packet, and that its document may print. */
export type FrozenPacket = Omit<
  DecisionPacket,
  keyof Row | keyof DueState | 'assembledBy' | 'reviewedSince' | 'deferredAt'
>;

/** Names of codes from rule documents, in the versions of the packet's stamp. */
export interface Names {
  readonly ofReview: (code: string) => string | undefined;
  readonly ofGate: (gateId: string) => string | undefined;
  readonly ofSkill: (code: string) => string | undefined;
  readonly ofDomain: (code: string) => string | undefined;
  readonly ofReason: (code: string) => string | undefined;
  readonly ofFlag: (code: string) => string | undefined;
  readonly ofObservation: (code: string) => string | undefined;
}

/** The most rows that are printed; a packet with more states their number. */
export const mostPrinted = 200;

const fontSize = 10;

export function printedPacket(packet: FrozenPacket, names: Names, student: PacketStudent): Printed {
  const head = pageHead(student);
  return {
    title: `${packetLabels.title} ${packet.id}`,
    madeAt: new Date(packet.closedAt ?? packet.assembledAt ?? packet.openedAt),
    fontSize,
    margins: [40, head.height, 40, 48],
    copies: [head.content],
    foot: packetFoot(student),
    content: [
      arabic(packetLabels.title, { fontSize: 18, margin: [0, 0, 0, 6] }),
      fields(headOf(packet, names)),
      ...section(packetLabels.recommendation, recommendationOf(packet)),
      ...(packet.figures ? figuresOf(packet.figures) : []),
      ...gatesOf(packet, names),
      ...section(packetLabels.decision, decisionOf(packet, names)),
      ...evidenceOf(packet, names),
      signatures,
      versionLines(packetLabels.rules, versionsIn(packet), fontSize),
    ],
  };
}

const versionsIn = ({ ruleVersions }: FrozenPacket): string[] =>
  Object.entries(ruleVersions)
    .map(([name, version]) => `${name}@${version}`)
    .sort();

type Field = readonly [label: string, value: Content];

const number = (value: number | string): Content => latin(String(value), { alignment: 'right' });
const day = (instant: string | null, timeZone: string): Content =>
  number(instant === null ? '–' : printedDate(localDate(new Date(instant), timeZone)));

const headOf = (packet: FrozenPacket, names: Names): Field[] => [
  [packetLabels.student, number(packet.studentId)],
  [packetLabels.packet, number(packet.id)],
  [packetLabels.review, arabic(names.ofReview(packet.reviewType) ?? packet.reviewType)],
  [packetLabels.status, arabic(statusWords[packet.status])],
  [packetLabels.opened, day(packet.openedAt, packet.timeZone)],
  [packetLabels.assembled, day(packet.assembledAt, packet.timeZone)],
  [packetLabels.since, number(packet.evidenceFrom ? printedDate(packet.evidenceFrom) : '–')],
  [packetLabels.tier, number(packet.fromTier ?? '–')],
  [packetLabels.count, number(packet.evidence.length)],
  [packetLabels.hash, number(packet.evidenceHash ?? '–')],
];

function recommendationOf({ recommendation }: FrozenPacket): Field[] {
  if (!recommendation) return [];
  const { decision, toTier, ruleId, reason, fidelity } = recommendation;
  return [
    [
      packetLabels.recommended,
      arabic(decision === null ? (valueWords.do_not_decide_yet ?? '') : decisionWords[decision]),
    ],
    [packetLabels.toTier, number(toTier ?? '–')],
    [packetLabels.reason, arabic(sufficiencyWords[reason] ?? reason)],
    [packetLabels.delivered, number(`${fidelity.credited} / ${fidelity.planned}`)],
    [packetLabels.rule, number(ruleId)],
  ];
}

function decisionOf(packet: FrozenPacket, { ofReason }: Names): Field[] {
  const { decision, toTier, closedAt, deferUntil } = packet;
  const code = packet.overrideCode ?? packet.rejectReasonCode ?? packet.deferralCode;
  return [
    ...(decision === null ? [] : [[packetLabels.decision, arabic(decisionWords[decision])] as const]),
    ...(toTier === null ? [] : [[packetLabels.toTier, number(toTier)] as const]),
    ...(code === null ? [] : [[packetLabels.code, arabic(ofReason(code) ?? code)] as const]),
    ...(deferUntil === null ? [] : [[packetLabels.until, number(printedDate(deferUntil))] as const]),
    ...(closedAt === null ? [] : [[packetLabels.closed, day(closedAt, packet.timeZone)] as const]),
  ];
}

function gatesOf({ gates }: FrozenPacket, { ofGate }: Names): Content[] {
  if (gates.length === 0) return [];
  const rows = gates.map(({ gateId, met, issue }): TableCell[] => [
    latin(met === false ? (issue ?? '') : '', { alignment: 'left' }),
    arabic(gateWord(met)),
    arabic(ofGate(gateId) ?? ''),
    number(gateId),
  ]);
  return together(packetLabels.gates, { table: { widths: [110, 130, '*', 50], body: rows }, layout: lines });
}

function gateWord(met: boolean | null): string {
  if (met === null) return packetLabels.notAsked;
  return met ? packetLabels.holds : packetLabels.fails;
}

function evidenceOf({ evidence, timeZone }: FrozenPacket, names: Names): Content[] {
  if (evidence.length === 0) return [heading(packetLabels.evidence), arabic(packetLabels.none)];
  const head: TableCell[] = [packetLabels.says, packetLabels.about, packetLabels.kind, packetLabels.date].map((label) =>
    arabic(label),
  );
  const shown = evidence.slice(0, mostPrinted);
  const rest = evidence.length - shown.length;
  return [
    heading(packetLabels.evidence),
    {
      table: {
        headerRows: 1,
        keepWithHeaderRows: 1,
        dontBreakRows: true,
        widths: ['*', 150, 110, 90],
        body: [head, ...shown.map((item) => evidenceRow(item, names, timeZone))],
      },
      layout: lines,
    },
    ...(rest > 0 ? [arabic(`${packetLabels.older}: ${rest}`, { margin: [0, 6, 0, 0] })] : []),
  ];
}

const evidenceRow = (item: EvidenceItem, names: Names, timeZone: string): TableCell[] => [
  wordOf(resultOf(item, names)),
  wordOf(aboutOf(item, names)),
  arabic(evidenceWords[item.type]),
  day(item.occurredAt, timeZone),
];

const resultOf = ({ type, valueCode }: EvidenceItem, { ofFlag, ofObservation }: Names): string => {
  if (type === 'context_flag') return ofFlag(valueCode) ?? valueCode;
  if (type === 'observation') return ofObservation(valueCode) ?? valueCode;
  if (type === 'tier_movement') return movement(...valueCode.split('_'));
  return valueWords[valueCode] ?? valueCode;
};

const movement = (from = '', to = ''): string => `${packetLabels.from} ${from} ${packetLabels.to} ${to}`;

const aboutOf = ({ subSkillCode, domainCode, measure }: EvidenceItem, { ofSkill, ofDomain }: Names): string =>
  (subSkillCode && (ofSkill(subSkillCode) ?? subSkillCode)) ??
  (domainCode && (ofDomain(domainCode) ?? domainCode)) ??
  measure ??
  '';

/** Codes contain no Arabic letters. */
const wordOf = (word: string): Content => (/\p{Script=Arabic}/u.test(word) ? arabic(word) : number(word));

const heading = (label: string): Content => arabic(label, { fontSize: 13, margin: [0, 12, 0, 4] });

const section = (label: string, list: readonly Field[]): Content[] =>
  list.length === 0 ? [] : together(label, fields(list));

/** Keeps a short table on the page of its heading. */
const together = (label: string, table: Content): Content[] => [{ unbreakable: true, stack: [heading(label), table] }];

/** The label is on the right, where Arabic lines begin. */
const fields = (list: readonly Field[]): Content => ({
  table: { widths: ['*', 110], body: list.map(([label, value]): TableCell[] => [value, arabic(label)]) },
  layout: lines,
});

const lines = ruled({ hLineWidth: 0.4, vLineWidth: 0, hLineColor: '#999999', paddingTop: 3, paddingBottom: 3 });
