// A session blueprint as it is imported, stored and read: what a teacher says and does in which minutes, and the items that
// children work on.
import Type, { type Static } from 'typebox';
import { itemTypes } from '#assessment/content/index.ts';
import { Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { deliveryModes, scaffoldTiers } from '#support/interventions/index.ts';
import { blueprintStates, segmentKinds } from './enums.ts';

const Code = Type.String({ maxLength: 40, pattern: '^[A-Z0-9][A-Z0-9_-]{2,39}$' });
export const BatchCode = named('BlueprintBatchCode', Code);

/** Which words there are say the rule documents: one that they do not know is a finding. */
const Word = Type.String({ minLength: 1, maxLength: 64 });
const ItemRef = Type.String({ maxLength: 32, pattern: '^[a-z0-9-]{1,32}$' });
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });
const Grade = Type.Integer({ minimum: 1, maximum: 4 });
/** Places of up to five options. */
const OptionIndex = Type.Integer({ minimum: 0, maximum: 99 });
const mostItems = 40;

export const BlueprintSegment = named(
  'BlueprintSegment',
  object({
    segmentNo: Type.Integer({ minimum: 1, maximum: 99 }),
    kind: oneOf(segmentKinds),
    minutes: Type.Integer({ minimum: 1, maximum: 45 }),
    scriptAr: text(1_000),
    itemRefs: Type.Array(ItemRef, { maxItems: mostItems }),
  }),
);
export type BlueprintSegment = Static<typeof BlueprintSegment>;

const item = {
  itemRef: ItemRef,
  subSkillCode: Word,
  taskType: oneOf(itemTypes),
  promptAr: text(300),
};
const heardOrRead = {
  speechAr: nullable(text(400)),
  passageAr: nullable(text(1_200)),
};
const options = Type.Array(text(120), { minItems: 2, maxItems: 5 });
const optionSpeechAr = nullable(Type.Array(text(400), { minItems: 2, maxItems: 5 }));

export const BlueprintItem = named(
  'BlueprintItem',
  object({ ...item, ...heardOrRead, options, optionSpeechAr, correctOptionIndex: OptionIndex }),
);
export type BlueprintItem = Static<typeof BlueprintItem>;

/** What is neither heard nor read may be left out. */
const NewItem = named(
  'NewBlueprintItem',
  object({
    ...item,
    speechAr: Type.Optional(heardOrRead.speechAr),
    passageAr: Type.Optional(heardOrRead.passageAr),
    options,
    optionSpeechAr: Type.Optional(optionSpeechAr),
    correctOptionIndex: OptionIndex,
  }),
);
export type NewItem = Static<typeof NewItem>;

const head = {
  blueprintCode: Code,
  bundle_id: Word,
  stepNo: Type.Integer({ minimum: 1, maximum: 99 }),
  sessionRole: Word,
  grade: Grade,
  /** Null: for whatever support a student needs. */
  scaffoldTier: nullable(oneOf(scaffoldTiers)),
  deliveryModes: Type.Array(oneOf(deliveryModes), { minItems: 1, maxItems: 4, uniqueItems: true }),
  anchorSkillGroup: Word,
  targetSubSkillCodes: Type.Array(Word, { minItems: 1, maxItems: 6, uniqueItems: true }),
  durationMinutes: Type.Integer({ minimum: 10, maximum: 45 }),
  titleAr: text(80),
};
const segments = Type.Array(BlueprintSegment, { minItems: 1, maxItems: 12 });

export const Blueprint = named(
  'SessionBlueprintContent',
  object({ ...head, segments, items: Type.Array(BlueprintItem, { maxItems: mostItems }) }),
);
export type Blueprint = Static<typeof Blueprint>;

export const NewBlueprint = named(
  'NewBlueprint',
  object({ ...head, segments, items: Type.Array(NewItem, { maxItems: mostItems }) }),
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
  object({ ...published, ...head, segments, items: Type.Array(BlueprintItem, { maxItems: mostItems }) }),
);

/** Without items. */
export const CatalogEntry = named('SessionCatalogEntry', object({ ...published, ...head, segments }));

/** What a child may see of an item. */
export const SessionItem = named(
  'SessionItem',
  object({ itemRef: item.itemRef, promptAr: item.promptAr, ...heardOrRead, options, optionSpeechAr }),
);
export type SessionItem = Static<typeof SessionItem>;
