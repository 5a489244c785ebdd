// Schemas of the documents of profiles, bundles and groups.
import { type DocumentSchemas, type Schema, schemaBuilders } from '#rules/rulesets/index.ts';

const { code, constants, count, dictionary, grade, listOf, setOf, share, strict, text } = schemaBuilders;

const word = { type: 'string', pattern: '^[a-z][a-z_]*$' };
const orNull = (one: Schema): Schema => ({ anyOf: [{ type: 'null' }, one] });
const whole = (maximum: number): Schema => ({ type: 'integer', minimum: 1, maximum });

const groups = { ...dictionary('^[A-Z][A-Z_]*$', setOf(code, 1)), minProperties: 1 };

const profileSettings = {
  roles: setOf(strict({ role: code, domains: setOf(code, 1), requiredGrades: setOf(grade), groups }), 1),
  withoutRole: groups,
};

/** The limits equal those of narratives in the backoffice. */
const title = { ...text, maxLength: 80 };
const body = { ...text, maxLength: 400 };
const suggestionCode = { type: 'string', pattern: '^[A-Z0-9][A-Z0-9-]{1,15}$' };

const narratives = {
  narratives: setOf(
    strict({
      profileCode: code,
      window: { enum: ['BOY', 'MOY', 'EOY', 'ANY'] },
      teacher: strict({ titleAr: title, bodyAr: body }),
      parent: listOf(suggestionCode, { uniqueItems: true, minItems: 1, maxItems: 5 }),
    }),
    1,
  ),
  suggestions: setOf(strict({ suggestionCode, titleAr: title, bodyAr: body }), 1),
  haltAr: body,
};

const step = strict({
  stepNo: whole(40),
  sessionRole: code,
  plannedSessions: whole(20),
  goal: orNull(strict({ minScored: whole(40), minRate: { type: 'number', minimum: 0, maximum: 1 } })),
});

const bundle = strict({
  bundle_id: { type: 'string', pattern: '^[A-Z]{3}-[A-Z]+-[0-9]{2}$' },
  objectType: code,
  state: { enum: ['draft', 'active', 'retired'] },
  nameAr: title,
  roles: setOf(code),
  grades: setOf(grade, 1),
  steps: listOf(step, { maxItems: 40 }),
  sessionsPerWeek: orNull(whole(7)),
  plannedWeeks: orNull(whole(40)),
  deliveryModes: setOf(word),
});

const named = setOf(strict({ code: word, ar: text, en: text }), 1);

export const documentSchemas: DocumentSchemas = {
  sections: {
    'profile/settings': profileSettings,
    'profile/narratives': narratives,
    'bundle/catalogue': { bundles: setOf(bundle, 1) },
    'bundle/settings': { constants },
    'bundle/session-codes': {
      taskTypes: named,
      events: strict({
        student: setOf(word, 1),
        staff: setOf(word, 1),
        sentByStudent: setOf(word, 1),
        sentByStaff: setOf(word, 1),
      }),
      observations: named,
    },
  },
  constants: {
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
    'ASG-END-01': count(1, 40),
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
  },
};
