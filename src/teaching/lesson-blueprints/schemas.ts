// The schema of a lesson blueprint as imported, stored and returned: timed segments with the teacher's scripts, and items.
import Type, { type Static } from 'typebox';
import { itemTypes } from '#assessment/content/index.ts';
import { Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { deliveryModes, scaffoldTiers } from '#support/interventions/index.ts';
import { blueprintForms, blueprintStates, segmentKinds } from './enums.ts';

const Code = Type.String({ maxLength: 40, pattern: '^[A-Z0-9][A-Z0-9_-]{2,39}$' });
export const BatchCode = named('BlueprintBatchCode', Code);

/** The rule documents define the allowed values; an unknown one is a finding. */
const RuleCode = Type.String({ minLength: 1, maxLength: 64 });
const ItemRef = Type.String({ maxLength: 32, pattern: '^[a-z0-9-]{1,32}$' });
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });
const Grade = Type.Integer({ minimum: 1, maximum: 4 });
/** An index into the options; an index beyond them is a finding. */
const OptionIndex = Type.Integer({ minimum: 0, maximum: 99 });
const maxItems = 40;

export const BlueprintSegment = named(
  'BlueprintSegment',
  object({
    segmentNo: Type.Integer({ minimum: 1, maximum: 99 }),
    kind: oneOf(segmentKinds),
    minutes: Type.Integer({ minimum: 1, maximum: 45 }),
    scriptAr: text(1_000),
    itemRefs: Type.Array(ItemRef, { maxItems }),
  }),
);
export type BlueprintSegment = Static<typeof BlueprintSegment>;

const item = {
  itemRef: ItemRef,
  subSkillCode: RuleCode,
  taskType: oneOf(itemTypes),
  promptAr: text(300),
};
const stimulusTexts = {
  speechAr: nullable(text(400)),
  passageAr: nullable(text(1_200)),
};
const options = Type.Array(text(120), { minItems: 2, maxItems: 5 });
const optionSpeechAr = nullable(Type.Array(text(400), { minItems: 2, maxItems: 5 }));

export const BlueprintItem = named(
  'BlueprintItem',
  object({ ...item, ...stimulusTexts, options, optionSpeechAr, correctOptionIndex: OptionIndex }),
);
export type BlueprintItem = Static<typeof BlueprintItem>;

/** An item of an import, in which texts that are null may be left out. */
const NewItem = named(
  'NewBlueprintItem',
  object({
    ...item,
    speechAr: Type.Optional(stimulusTexts.speechAr),
    passageAr: Type.Optional(stimulusTexts.passageAr),
    options,
    optionSpeechAr: Type.Optional(optionSpeechAr),
    correctOptionIndex: OptionIndex,
  }),
);
export type NewItem = Static<typeof NewItem>;

const head = {
  blueprintCode: Code,
  bundle_id: RuleCode,
  stepNo: Type.Integer({ minimum: 1, maximum: 99 }),
  sessionRole: RuleCode,
  grade: Grade,
  /** Null when the blueprint fits every scaffold tier. */
  scaffoldTier: nullable(oneOf(scaffoldTiers)),
  deliveryModes: Type.Array(oneOf(deliveryModes), { minItems: 1, maxItems: 4, uniqueItems: true }),
  anchorSkillGroup: RuleCode,
  targetSubSkillCodes: Type.Array(RuleCode, { minItems: 1, maxItems: 6, uniqueItems: true }),
  durationMinutes: Type.Integer({ minimum: 10, maximum: 45 }),
  titleAr: text(80),
};
/** Left out for form A. */
const newForm = { form: Type.Optional(oneOf(blueprintForms)) };
const form = { form: oneOf(blueprintForms) };
const segments = Type.Array(BlueprintSegment, { minItems: 1, maxItems: 12 });

export const Blueprint = named(
  'SessionBlueprintContent',
  object({ ...head, ...newForm, segments, items: Type.Array(BlueprintItem, { maxItems }) }),
);
export type Blueprint = Static<typeof Blueprint>;

export const NewBlueprint = named(
  'NewBlueprint',
  object({ ...head, ...newForm, segments, items: Type.Array(NewItem, { maxItems }) }),
);
export type NewBlueprint = Static<typeof NewBlueprint>;

export const ImportBody = named(
  'BlueprintImportBody',
  object({
    formatVersion: Type.Literal(1),
    batchCode: BatchCode,
    blueprints: Type.Array(NewBlueprint, { minItems: 1, maxItems: 1_000 }),
  }),
);
export type ImportBody = Static<typeof ImportBody>;

const published = { blueprintId: Cuid, version: Type.Integer({ minimum: 1 }), state: oneOf(blueprintStates) };

export const BlueprintView = named(
  'SessionBlueprint',
  object({ ...published, ...head, ...form, segments, items: Type.Array(BlueprintItem, { maxItems }) }),
);

/** A blueprint without its items. */
export const CatalogEntry = named('SessionCatalogEntry', object({ ...published, ...head, ...form, segments }));

/** The part of an item that children may see. */
export const LessonItem = named(
  'SessionItem',
  object({ itemRef: item.itemRef, promptAr: item.promptAr, ...stimulusTexts, options, optionSpeechAr }),
);
export type LessonItem = Static<typeof LessonItem>;
