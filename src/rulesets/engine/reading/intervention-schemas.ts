// The sections of the value documents of profiles, bundles, fidelity and tiers, by `family/key`.
import { constants, dictionary, listOf, type Schema, strict, text } from './schema-words.ts';

const code = { type: 'string', pattern: '^[A-Z][A-Z_]*$' };
const word = { type: 'string', pattern: '^[a-z][a-z_]*$' };
const grade = { type: 'integer', minimum: 1, maximum: 4 };
const set = (items: Schema, minItems = 0): Schema => listOf(items, { uniqueItems: true, minItems });
const orNull = (one: Schema): Schema => ({ anyOf: [{ type: 'null' }, one] });
const count = (maximum: number): Schema => ({ type: 'integer', minimum: 1, maximum });

const groups = { ...dictionary('^[A-Z][A-Z_]*$', set(code, 1)), minProperties: 1 };

const profileSettings = {
  roles: set(strict({ role: code, domains: set(code, 1), requiredGrades: set(grade), groups }), 1),
  withoutRole: groups,
};

/** As the narratives of the backoffice: what a teacher or a parent can take in at a glance. */
const title = { ...text, maxLength: 80 };
const body = { ...text, maxLength: 400 };
const suggestionCode = { type: 'string', pattern: '^[A-Z0-9][A-Z0-9-]{1,15}$' };

const narratives = {
  narratives: set(
    strict({
      profileCode: code,
      window: { enum: ['BOY', 'MOY', 'EOY', 'ANY'] },
      teacher: strict({ titleAr: title, bodyAr: body }),
      parent: listOf(suggestionCode, { uniqueItems: true, minItems: 1, maxItems: 5 }),
    }),
    1,
  ),
  suggestions: set(strict({ suggestionCode, titleAr: title, bodyAr: body }), 1),
  haltAr: body,
};

const step = strict({
  stepNo: count(40),
  sessionRole: code,
  plannedSessions: count(20),
  goal: orNull(strict({ minScored: count(40), minRate: { type: 'number', minimum: 0, maximum: 1 } })),
});

const bundle = strict({
  bundle_id: { type: 'string', pattern: '^[A-Z]{3}-[A-Z]+-[0-9]{2}$' },
  objectType: code,
  state: { enum: ['draft', 'active', 'retired'] },
  nameAr: title,
  roles: set(code),
  grades: set(grade, 1),
  steps: listOf(step, { maxItems: 40 }),
  sessionsPerWeek: orNull(count(7)),
  plannedWeeks: orNull(count(40)),
  deliveryModes: set(word),
});

const scopes = [
  ...['rti_decision', 'workflow_adjustment', 'gamification_rescind', 'alert_dismissal', 'packet_approval'],
  ...['session_recipient', 'packet_rejection', 'packet_deferral', 'assignment_pause', 'assignment_stop'],
  ...['session_cancel', 'narrative_rejection'],
];

const reasonCodes = {
  codes: set(
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

const named = set(strict({ code: word, ar: text, en: text }), 1);

/** A tier of support. */
const tier = { type: 'integer', minimum: 1, maximum: 3 };
const mixedWord = { type: 'string', pattern: '^[A-Za-z]+(_[A-Za-z]+)*$' };

const decisionPacket = {
  constants,
  reviewTypes: set(
    strict({
      ...{ code: word, ar: title, en: title },
      tiers: set(tier, 1),
      alert: orNull(mixedWord),
      contextual: { type: 'boolean' },
      profiles: set(code),
      decisions: set(strict({ decision: word, tiers: set(tier, 1) }), 1),
      ignoredReasons: set(code),
      tiersWithoutDelivery: set(tier),
    }),
    1,
  ),
  gates: set(
    strict({
      gateId: { type: 'string', pattern: '^GTE-[0-9]{2}$' },
      check: word,
      ofDefer: { type: 'boolean' },
      ...{ ar: title, en: title },
    }),
    1,
  ),
};

export const interventionSchemas: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'profile/settings': profileSettings,
  'profile/narratives': narratives,
  'bundle/catalogue': { bundles: set(bundle, 1) },
  'bundle/settings': { constants },
  'bundle/session-codes': {
    taskTypes: named,
    events: strict({
      student: set(word, 1),
      staff: set(word, 1),
      sentByStudent: set(word, 1),
      sentByStaff: set(word, 1),
    }),
    observations: named,
  },
  'fidelity/settings': { constants },
  'rti/reason-codes': reasonCodes,
  'rti/decision-packet': decisionPacket,
};
