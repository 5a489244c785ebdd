// Schemas of the documents of measurement: scoring, benchmarks, trends.
import { seasons } from '#rules/catalogue/index.ts';
import { type DocumentSchemas, schemaBuilders } from '#rules/rulesets/index.ts';

const { amount, code, constants, count, dayOfYear, fourDecimals, grade, setOf, share, strict, text } = schemaBuilders;

const seconds = { type: 'integer', minimum: 1, maximum: 600 };
const gradeBand = strict({ grades: setOf(grade, 1), options: { type: 'integer', minimum: 2, maximum: 6 } });

/** Best first; stored teaser results contain these names. */
const teaserBands = ['meets', 'approaching', 'below', 'severe'];

const measurement = {
  constants,
  expectedSeconds: strict({ mcq_text: seconds, mcq_audio: seconds, passage_mcq: seconds, timed_choice: seconds }),
  gradeBands: strict({ G12: gradeBand, G34: gradeBand }),
  firstParts: setOf(strict({ grade, subSkills: setOf(code, 1) }), 1),
  calibrationVersion: { type: 'string', pattern: '^CAL@[1-9][0-9]*$' },
  teaser: strict({
    labelPrefixAr: text,
    disclaimerAr: text,
    bands: setOf(strict({ band: { enum: teaserBands }, labelAr: text, descriptionAr: text }), teaserBands.length),
    itemSets: setOf(strict({ grade, subSkill: code }), 1),
  }),
};

const wordsPerMinute = { type: 'number', minimum: 0, maximum: 400, format: fourDecimals };

const benchmark = {
  country: { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^[A-Z]{2}$' }] },
  grade,
  measureCode: code,
  season: { enum: [...seasons, null] },
  cuts: {
    ...strict({ meets: wordsPerMinute, approaching: wordsPerMinute, below: wordsPerMinute }),
    type: ['object', 'null'],
  },
  source: text,
};

export const documentSchemas: DocumentSchemas = {
  sections: { 'scoring/measurement': measurement, 'benchmark/*': benchmark },
  constants: {
    // A line through two points has no residuals, so at least 3.
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
    // Lower bounds would ask for the confirmation of usual scores, and a teacher would confirm without looking.
    'CBM-PLS-01': amount(100, 1_000),
    'CBM-PLS-02': amount(20, 1_000),
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
    // The estimation grid was checked for this range of priors.
    'PRQ-SE-01': amount(0.3, 2),
    'WRM-DUR-01': count(10, 600),
    'WRM-MAX-01': count(1, 100),
    'WRM-SEC-01': amount(1, 600),
    'WRM-RES-01': count(1, 60),
    'WRM-OFF-01': amount(0, 4),
    // The teaser's sets are ten items of rising difficulty; fewer would use the easy ones only.
    'TSR-ITM-01': count(10, 10),
    'TSR-BND-01': amount(-4, 4),
    'TSR-BND-02': amount(-4, 4),
    'TSR-BND-03': amount(-4, 4),
    'TSR-LIM-01': count(1, 1_000),
    // Starts are stored for one day.
    'TSR-LIM-02': count(1, 1_440),
  },
};
