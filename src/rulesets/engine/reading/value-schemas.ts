// The sections that each value document may and must hold beside `meta`, by `family/key`.
import { bandSchemas } from './band-schemas.ts';
import { interventionSchemas } from './intervention-schemas.ts';
import { notificationSchemas } from './notification-schemas.ts';
import { qaSchemas } from './qa-schemas.ts';
import { rewardSchemas } from './reward-schemas.ts';
import { constants, flag, listOf, type Schema, strict, text } from './schema-words.ts';

const code = { type: 'string', pattern: '^[A-Z][A-Z_]*$' };
const pattern = { type: 'string', pattern: '^[a-z][a-z_]*$' };
const order = { type: 'integer', minimum: 1 };
const month = { type: 'integer', minimum: 1, maximum: 12 };
/** Every month of every year has it. */
const dayOfMonth = { type: 'integer', minimum: 1, maximum: 28 };
const grade = { type: 'integer', minimum: 1, maximum: 4 };
/** The benchmark documents and what is stored name them. */
const seasons = ['BOY', 'MOY', 'EOY'];
const named = { code, ar: text, en: text };
const set = (items: Schema, minItems = 0): Schema => listOf(items, { uniqueItems: true, minItems });

const catalogue = {
  subSkills: set(
    strict({
      ...named,
      order,
      domain: code,
      grades: set(grade, 1),
      gateway: flag,
      accuracyIndicator: flag,
      measuredByOrf: flag,
      prerequisites: set(code),
    }),
    1,
  ),
  domains: set(strict({ ...named, order, tile: code }), 1),
  tiles: set(strict({ ...named, order }), 1),
  globalTile: strict(named),
  microPatterns: set(strict({ code: pattern, errorFamily: pattern, subSkill: code }), 1),
  schoolYear: strict({ startMonth: month, startDay: dayOfMonth }),
  seasons: set(strict({ code: { enum: seasons }, months: set(month, 1) }), seasons.length),
};

const seconds = { type: 'integer', minimum: 1, maximum: 600 };
const gradeBand = strict({ grades: set(grade, 1), options: { type: 'integer', minimum: 2, maximum: 6 } });

/** Best first; what is stored of a teaser names them. */
const teaserBands = ['meets', 'approaching', 'below', 'severe'];

const measurement = {
  constants,
  expectedSeconds: strict({ mcq_text: seconds, mcq_audio: seconds, passage_mcq: seconds, timed_choice: seconds }),
  gradeBands: strict({ G12: gradeBand, G34: gradeBand }),
  firstParts: set(strict({ grade, subSkills: set(code, 1) }), 1),
  calibrationVersion: { type: 'string', pattern: '^CAL@[1-9][0-9]*$' },
  teaser: strict({
    labelPrefixAr: text,
    disclaimerAr: text,
    bands: set(strict({ band: { enum: teaserBands }, labelAr: text, descriptionAr: text }), teaserBands.length),
    itemSets: set(strict({ grade, subSkill: code }), 1),
  }),
};

const wordsPerMinute = { type: 'number', minimum: 0, maximum: 400 };

const benchmark = {
  country: { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^[A-Z]{2}$' }] },
  grade,
  measureCode: code,
  season: { enum: [...seasons, null] },
  cuts: {
    anyOf: [{ type: 'null' }, strict({ meets: wordsPerMinute, approaching: wordsPerMinute, below: wordsPerMinute })],
  },
  source: text,
};

const kept = strict({ days: { type: 'integer', minimum: 1, maximum: 3650 }, rationale: text });

const retention = {
  periods: strict({
    teaserSessions: kept,
    teaserLeads: kept,
    endedSessions: kept,
    idempotencyAnswers: kept,
    clientLogs: kept,
    securityEvents: kept,
  }),
};

const ruleId = { type: 'string', pattern: '^[A-Z][A-Z0-9-]{1,39}$' };
const shortText = { type: 'string', minLength: 1, maxLength: 200 };
const reasonCodes = ['deficit_label', 'ranking', 'number', 'internal_code', 'diagnosis', 'blame', 'comparison'];

/** Rules of one audience: `entries`, since `rules` are those of decision tables. */
const languageSet = (...tiers: readonly string[]) => ({
  entries: listOf(
    strict(
      {
        id: ruleId,
        tiers: set({ enum: tiers }, 1),
        match: {
          anyOf: [strict({ phrases: set(shortText, 1) }), strict({ pattern: shortText })],
        },
        action: { enum: ['block', 'rewrite'] },
        reasonCode: { enum: reasonCodes },
      },
      { exact: flag, replacementAr: shortText },
    ),
    { minItems: 1, maxItems: 500 },
  ),
});

const contextFlags = {
  flags: set(strict({ code: pattern, ar: text, en: text, effect: { enum: ['review', 'none'] } }), 1),
  blocked: set(pattern),
};

/**
 * `family/*` is for every key of a family. A document that is not named here is read with its `meta` and `constants`
 * checked only.
 */
export const valueSchemas: Readonly<Record<string, Readonly<Record<string, Schema>>>> = {
  'dth/dth': { constants },
  'catalogue/subskills': catalogue,
  'scoring/measurement': measurement,
  'benchmark/*': benchmark,
  'operations/retention': retention,
  ...interventionSchemas,
  ...notificationSchemas,
  ...bandSchemas,
  ...rewardSchemas,
  ...qaSchemas,
  'language/staff': languageSet('ui', 'reports', 'teacher_note', 'admin'),
  'language/family': languageSet('parent', 'parent_stricter'),
  'language/student': languageSet('student'),
  'language/context-flags': contextFlags,
};
