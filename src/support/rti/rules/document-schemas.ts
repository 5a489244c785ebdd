// Schemas of the documents of tiers: reason codes, and the requirements of decision packets.
import { type DocumentSchemas, type Schema, schemaBuilders } from '#rules/rulesets/index.ts';

const { code, constants, count, setOf, strict, text } = schemaBuilders;

const word = { type: 'string', pattern: '^[a-z][a-z_]*$' };
const orNull = (one: Schema): Schema => ({ anyOf: [{ type: 'null' }, one] });
/** A length that teachers can read at a glance. */
const title = { ...text, maxLength: 80 };

const scopes = [
  ...['rti_decision', 'workflow_adjustment', 'gamification_rescind', 'alert_dismissal', 'packet_approval'],
  ...['session_recipient', 'packet_rejection', 'packet_deferral', 'assignment_pause', 'assignment_stop'],
  ...['session_cancel', 'narrative_rejection'],
];

const reasonCodes = {
  codes: setOf(
    strict({
      code: { type: 'string', pattern: '^[A-Z][A-Za-z]*(_[A-Za-z0-9]+)*$' },
      scope: { enum: scopes },
      kind: { enum: ['override', 'reason'] },
      labelAr: text,
      labelEn: text,
    }),
    1,
  ),
};

/** A tier of support. */
const tier = { type: 'integer', minimum: 1, maximum: 3 };
const mixedWord = { type: 'string', pattern: '^[A-Za-z]+(_[A-Za-z]+)*$' };

const decisionPacket = {
  constants,
  reviewTypes: setOf(
    strict({
      ...{ code: word, ar: title, en: title },
      tiers: setOf(tier, 1),
      alert: orNull(mixedWord),
      contextual: { type: 'boolean' },
      profiles: setOf(code),
      decisions: setOf(strict({ decision: word, tiers: setOf(tier, 1) }), 1),
      ignoredReasons: setOf(code),
      tiersWithoutDelivery: setOf(tier),
    }),
    1,
  ),
  gates: setOf(
    strict({
      gateId: { type: 'string', pattern: '^GTE-[0-9]{2}$' },
      check: word,
      ofDefer: { type: 'boolean' },
      ...{ ar: title, en: title },
    }),
    1,
  ),
};

export const documentSchemas: DocumentSchemas = {
  sections: { 'rti/reason-codes': reasonCodes, 'rti/decision-packet': decisionPacket },
  /** Facts are limited to the domains of their tables: a threshold beyond the domain would never be reached. */
  constants: {
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
    'ALT-DUE-01': count(1, 60),
    'ALT-DUE-02': count(1, 60),
    'ALT-DUE-03': count(1, 60),
    'ALT-DUE-04': count(1, 60),
    'ALT-DUE-05': count(1, 60),
    'PKT-DUE-01': count(1, 60),
    'ALT-CAP-01': count(1, 1_000),
  },
};
