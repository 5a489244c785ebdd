// What each constant may be. The ends are the last values that still mean something: a document beyond them is refused at
// validation, and with one at an end every part of the service still answers. Nowhere else does a limit of them stand.
import type { FactValue } from '../document/document.ts';

export type ConstantRange =
  | { readonly min: number; readonly max: number; readonly integer: boolean }
  | { readonly pattern: RegExp; readonly ends: readonly [string, string] };

const count = (min: number, max: number): ConstantRange => ({ min, max, integer: true });
const amount = (min: number, max: number): ConstantRange => ({ min, max, integer: false });
const share = amount(0, 1);
/** A month and a day that every year has. */
const dayOfYear: ConstantRange = {
  pattern:
    /^(?:02-(?:0[1-9]|1\d|2[0-8])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01]))$/,
  ends: ['01-01', '12-31'],
};

const evidence: Readonly<Record<string, ConstantRange>> = {
  'DTH-WIN-01': count(1, 20),
  // A cell of the item bank holds 12 items: a sub-skill that needs more could never be opened.
  'DTH-MIN-01': count(1, 12),
  'DTH-DEF-01': share,
  'DTH-DEF-02': share,
  'DTH-DEF-03': share,
  'DTH-SEV-01': share,
  'DTH-SEV-02': amount(0, 10),
  'DTH-EVD-01': count(1, 100),
  'DTH-COV-01': share,
  'DTH-COH-01': share,
  'DTH-CNF-01': share,
  'DTH-CNF-02': amount(0, 366),
  'DTH-CNF-03': count(1, 20),
  'DTH-BRD-01': count(1, 100),
  'DTH-SUP-01': share,
  'DTH-SLW-01': share,
  'DTH-PRQ-01': share,
  'DTH-RBM-01': share,
  'DTH-CON-01': count(1, 100),
  'DTH-CON-02': count(1, 100),
  'DTH-CON-03': count(1, 20),
  'DTH-PAT-01': count(1, 20),
  'DTH-PAT-02': count(1, 100),
  'DTH-PAT-03': count(1, 20),
  // Evidence without weight would leave rates without a denominator.
  'DTH-SRC-01': amount(0.1, 10),
  'DTH-SRC-02': amount(0.1, 10),
  'DTH-SRC-03': amount(0.1, 10),
  'DTH-SLO-01': amount(1, 20),
  'DTH-GTW-01': amount(1, 10),
  'DTH-ORF-01': count(1, 20),
  'DTH-ORF-02': count(0, 20),
  'DTH-ORF-03': count(0, 20),
  'DTH-ORF-04': count(0, 20),
  'DTH-ORF-05': count(0, 20),
};

const behaviour: Readonly<Record<string, ConstantRange>> = {
  'RBM-RAPID-MS': count(0, 10_000),
  'RBM-RAPID-SHARE': share,
  'RBM-RAPID-COUNT': count(1, 1_000),
  'RBM-RAPID-PART': share,
  'RBM-STREAK': count(2, 1_000),
  'RBM-POSITION': count(2, 1_000),
  'RBM-ALTERNATE': count(2, 1_000),
  'RBM-OMIT-RUN': count(1, 1_000),
  'RBM-OMIT-SERVED': count(1, 1_000),
  'RBM-OMIT-PART': share,
  'RBM-PAUSE-ONE': amount(1, 86_400),
  'RBM-PAUSE-ALL': amount(1, 86_400),
  'RBM-REPLAY-PER-ITEM': count(1, 100),
  'RBM-REPLAY-ITEMS': count(1, 1_000),
  'RBM-SLOW-ANSWERED': count(1, 1_000),
  'RBM-SLOW-PART': share,
  'RBM-CHANGE-PER-ITEM': count(1, 50),
  'RBM-CHANGE-ITEMS': count(1, 1_000),
  'RBM-DECLINE-ANSWERED': count(2, 1_000),
  'RBM-DECLINE-DROP': share,
  'RBM-FRAGMENT': count(1, 1_000),
  // The first wrong answer opens a sub-flag: an occurrence below its lowest level could not be kept.
  'SUBFLAG-CAN-01': count(1, 1),
  'SUBFLAG-LNK-01': count(1, 1_000),
  'SUBFLAG-PER-01': count(1, 1_000),
  'SUBFLAG-PER-02': count(1, 1_000),
  'SUBFLAG-PER-03': count(1, 1_000),
};

const fluency: Readonly<Record<string, ConstantRange>> = {
  // A line through two points has no residuals.
  'CBM-MIN-01': count(3, 100),
  'CBM-RUN-01': count(1, 50),
  'CBM-BAS-01': count(1, 20),
  'CBM-WIN-01': count(7, 365),
  'CBM-CMP-01': count(0, 365),
  'CBM-GRW-01': amount(0, 10),
  'CBM-END-01': dayOfYear,
  'CBM-DRP-01': share,
  'CBM-DRP-02': count(1, 50),
  'CBM-FLT-01': amount(-5, 5),
  'CBM-CRT-01': amount(0, 10),
};

const measurement: Readonly<Record<string, ConstantRange>> = {
  'EAP-MIN-01': count(1, 20),
  'CAL-MIN-01': count(0, 1_000_000),
  'SEL-WIN-01': amount(0, 8),
  'SEL-WIN-02': amount(0, 8),
  'SEL-SEEN-01': count(0, 366),
  'DIA-MAX-01': count(1, 20),
  'DIA-UNI-01': count(1, 20),
  'DIA-CAP-01': count(60_000, 3_600_000),
  'DIA-EXP-01': count(1, 168),
  'DIA-PART-01': count(1, 40),
  'PRQ-BUD-01': count(1, 100),
  'PRQ-TGT-01': count(1, 40),
  'PRQ-THE-01': amount(-4, 4),
  // The estimation's grid was checked over this range of priors.
  'PRQ-SE-01': amount(0.3, 2),
  'WRM-DUR-01': count(10, 600),
  'WRM-MAX-01': count(1, 100),
  'WRM-SEC-01': amount(1, 600),
  'WRM-RES-01': count(1, 60),
  'WRM-OFF-01': amount(0, 4),
  // The teaser's sets are ten items of rising difficulty: a part of one would judge by its easy end.
  'TSR-ITM-01': count(10, 10),
  'TSR-BND-01': amount(-4, 4),
  'TSR-BND-02': amount(-4, 4),
  'TSR-BND-03': amount(-4, 4),
  'TSR-LIM-01': count(1, 1_000),
  // Starts are kept for a day.
  'TSR-LIM-02': count(1, 1_440),
};

const interventions: Readonly<Record<string, ConstantRange>> = {
  'PRF-BRD-01': count(1, 7),
  'PRF-STR-01': count(1, 7),
  'BRR-GRD-01': count(1, 4),
  'SCF-IND-01': share,
  'DLM-TIER-01': count(1, 3),
  'DLM-GRD-01': count(1, 4),
  'TRK-WKS-01': count(1, 40),
  'TRK-RAT-01': share,
  'DSF-TIER-01': count(1, 3),
  'DSF-WKS-01': count(0, 40),
  'ASG-OPEN-01': count(1, 10),
  'ASG-PAST-01': count(0, 366),
  'ASG-AHEAD-01': count(0, 366),
  'ASG-T3W-01': count(1, 7),
  'ASG-EXT-01': count(1, 20),
  'ASG-EXT-02': count(0, 20),
  'ASG-LAST-01': count(0, 366),
  'ASG-MON-01': count(1, 366),
  'ASG-MON-02': count(1, 366),
  'ASG-AIM-01': count(1, 40),
  'ASG-MIN-01': count(1, 3_000),
  'ASG-SES-01': count(1, 300),
  // A blueprint holds at most 40 items.
  'STP-SCO-01': count(1, 40),
  'STP-RAT-01': share,
  'STP-UP-01': share,
  'STP-DOWN-01': share,
  'STP-LONG-01': count(1, 10),
  'CLU-MIN-01': count(1, 60),
  'CLU-LIFE-01': count(1, 366),
  'IND-WIN-01': count(1, 366),
  'GRP-SMALL-01': count(1, 60),
  'GRP-MICRO-01': count(1, 60),
  'GRP-CLASS-01': share,
  'GRP-CLASS-02': count(1, 60),
  'WKS-DAY-01': count(1, 7),
  'FID-RAT-01': share,
  'FID-CAP-01': count(0, 7),
  'FID-WKS-01': count(1, 40),
  'FID-WIN-01': count(1, 60),
};

/** What a table asks about is cut where the domain of its fact ends: a threshold beyond it would never be reached. */
const tiers: Readonly<Record<string, ConstantRange>> = {
  // There are three tiers, whatever the rules.
  'RTI-TIER-02': count(2, 2),
  'RTI-TIER-03': count(3, 3),
  'LSA-RUN-01': count(1, 12),
  'LSA-RUN-02': count(1, 12),
  'LSA-DAY-01': count(0, 300),
  'RAL-INT-01': count(0, 40),
  'RAL-BRD-01': count(1, 7),
  'RAL-STR-01': count(1, 7),
  'RAL-DLV-01': count(0, 40),
  'RAL-REV-01': count(1, 40),
  'RAL-REV-02': count(1, 40),
  'PKT-DEF-01': count(1, 366),
  'PKT-EVD-01': count(1, 1_830),
  'ALT-DIS-01': count(1, 366),
  'ALT-TEL-01': count(0, 365),
  'ALT-ACK-01': count(1, 720),
  'ALT-QUI-01': count(0, 366),
  'ACU-GAP-01': count(1, 366),
  'PRG-PTS-01': count(1, 100),
  'PRG-AGE-01': count(0, 366),
  'DEC-PAST-01': count(0, 366),
};

const families: Readonly<Record<string, ConstantRange>> = {
  // A school year has three seasons.
  'GTR-PTS-01': count(1, 3),
  'GTR-PTS-02': count(1, 3),
};

const protection: Readonly<Record<string, ConstantRange>> = {
  // With one nothing would be protected.
  'PRT-MIN-01': count(2, 50),
  'PRT-WID-01': count(1, 50),
};

export const constantRanges: Readonly<Record<string, ConstantRange>> = {
  ...evidence,
  ...behaviour,
  ...fluency,
  ...measurement,
  ...interventions,
  ...tiers,
  ...protection,
  ...families,
};

/** What is wrong with the value of a constant; undefined for one that fits, or that nobody reads by its name. */
export function constantFault(id: string, value: FactValue): string | undefined {
  const range = Object.hasOwn(constantRanges, id) ? constantRanges[id] : undefined;
  if (!range) return undefined;
  if ('pattern' in range)
    return typeof value === 'string' && range.pattern.test(value) ? undefined : 'is no month and day';
  const { min, max, integer } = range;
  if (typeof value !== 'number') return 'is no number';
  if (integer && !Number.isInteger(value)) return 'is no whole number';
  return value < min || value > max ? `must lie between ${min} and ${max}` : undefined;
}
