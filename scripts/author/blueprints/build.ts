// Builds the shipped batches: authored scripts and items of the bank become the texts of their import files.
import path from 'node:path';
import type { ItemBank } from '#assessment/content/index.ts';
import type { Item as BankItem } from '#assessment/content/items/engine/item.ts';
import { loadItemBank, readJson } from '#assessment/content/items/files.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import { checks, type LanguageRule } from '#rules/language/index.ts';
import { ItemChoice } from './choose.ts';
import { type PlannedBlueprint, type PlanRules, planBatch } from './plan.ts';
import { fieldsOf, fillPlaceholders } from './script-placeholders.ts';
import { readScripts, type Script, scriptKey } from './script-source.ts';

/** The versions of the documents from which the batches are built. */
const recipe = { bank: 2, subSkills: 2, catalogue: 1, settings: 1, staff: 1 } as const;

/**
 * The first batch has a blueprint of each place, the second another form of each goal step. All content of a folder is
 * numbered in one row, so that the version of the file is the number of the batch.
 */
const batches = [
  { form: 'A', batch: 'SEED-01', version: 1, code: 'S01' },
  { form: 'B', batch: 'SEED-02', version: 2, code: 'S02' },
] as const;
type Batch = (typeof batches)[number];
export type BatchForm = Batch['form'];

const pathOf = (rulesDir: string, { batch, version }: Batch): string =>
  path.join(rulesDir, `content/blueprints/${batch.toLowerCase()}.v${version}.json`);

export const batchPath = (rulesDir: string, form: BatchForm = 'A'): string =>
  pathOf(rulesDir, form === 'A' ? batches[0] : batches[1]);

export interface PlanSource extends PlanRules {
  readonly bank: ItemBank;
  readonly isAllowed: (text: string) => boolean;
}

export async function readPlanSource(rulesDir: string): Promise<PlanSource> {
  const document = <T>(name: string, version: number) => readJson<T>(path.join(rulesDir, name, `${version}.json`));
  const { subSkills } = await document<CatalogueDocument>('catalogue/subskills', recipe.subSkills);
  const { bundles } = await document<Pick<PlanRules, 'bundles'>>('bundle/catalogue', recipe.catalogue);
  const { roles, withoutRole } = await document<Pick<PlanRules, 'roles' | 'withoutRole'>>(
    'profile/settings',
    recipe.settings,
  );
  const { entries } = await document<{ entries: readonly LanguageRule[] }>('language/staff', recipe.staff);
  const checkStaff = checks(entries);
  const measured = subSkills.filter(({ measuredByOrf }) => !measuredByOrf);
  return {
    bundles,
    roles,
    withoutRole,
    gradesOf: new Map(measured.map(({ code, grades }) => [code, grades])),
    bank: await loadItemBank(rulesDir, recipe.bank),
    isAllowed: (text) => checkStaff(text, 'teacher_note').safe,
  };
}

export interface BuiltBatch {
  readonly path: string;
  /** One blueprint per line. */
  readonly text: string;
  readonly blueprints: number;
}

/** Returns the import files. Throws Error if a script is missing. */
export async function buildBatches(rulesDir: string): Promise<readonly BuiltBatch[]> {
  const [source, scripts] = await Promise.all([readPlanSource(rulesDir), readScripts(rulesDir)]);
  const planned = planBatch(source);
  const missing = new Set(
    planned.map((one) => scriptKey(one.sessionRole, one.group, one.band)).filter((key) => !scripts.has(key)),
  );
  if (missing.size > 0) throw new Error(`no script for ${[...missing].join(', ')}`);
  const choices = new Map<string, ItemChoice>();
  /** The items that form A asks, by blueprint: form B asks others. */
  const asked = new Map<PlannedBlueprint, ReadonlySet<BankItem>>();
  return batches.map((batch) => {
    const lines = planned
      .filter(({ hasGoal }) => batch.form === 'A' || hasGoal)
      .map((one) => {
        const chain = `${one.bundle.bundle_id}/${one.grade}/${one.group}`;
        const choice = choices.get(chain) ?? new ItemChoice(source.bank, source.isAllowed);
        choices.set(chain, choice);
        const script = scripts.get(scriptKey(one.sessionRole, one.group, one.band)) as Script;
        const { asks, content } = blueprint(one, { script, batch, choice, ofOtherForm: asked.get(one) });
        asked.set(one, asks);
        return JSON.stringify(content);
      });
    const head = `{"formatVersion":1,"batchCode":"${batch.batch}","blueprints":[`;
    const text = `${head}\n${lines.join(',\n')}\n]}\n`;
    return { path: pathOf(rulesDir, batch), text, blueprints: lines.length };
  });
}

interface Making {
  readonly script: Script;
  readonly batch: Batch;
  readonly choice: ItemChoice;
  readonly ofOtherForm: ReadonlySet<BankItem> | undefined;
}

function blueprint(planned: PlannedBlueprint, { script, batch, choice, ofOtherForm }: Making) {
  const taken = new Set<BankItem>();
  const itemsOfSegments = script.segments.map(({ items = [], scriptAr }) =>
    choose(items, { names: '123456789', scriptAr, planned, ofOtherForm }, choice, taken),
  );
  const items = itemsOfSegments.flat();
  const unscored = { ...planned, hasGoal: false };
  const segments = script.segments.map(({ kind, minutes, scriptAr, examples = [] }, at) => {
    const own = itemsOfSegments[at] ?? [];
    const slots = { names: 'abc', scriptAr, planned: unscored, ofOtherForm: undefined };
    const placeholders = { items: own, examples: choose(examples, slots, choice, taken) };
    const itemRefs = own.map(({ publicId }) => publicId);
    return { segmentNo: at + 1, kind, minutes, scriptAr: fillPlaceholders(scriptAr, placeholders), itemRefs };
  });
  const content = {
    blueprintCode: codeOf(planned, batch),
    bundle_id: planned.bundle.bundle_id,
    stepNo: planned.stepNo,
    sessionRole: planned.sessionRole,
    grade: planned.grade,
    scaffoldTier: null,
    deliveryModes: planned.bundle.deliveryModes,
    anchorSkillGroup: planned.group,
    targetSubSkillCodes: planned.targets,
    durationMinutes: segments.reduce((sum, { minutes }) => sum + minutes, 0),
    ...(batch.form !== 'A' && { form: batch.form }),
    titleAr: script.titleAr,
    segments,
    items: items.map(blueprintItem),
  };
  return { asks: new Set(items), content };
}

const codeOf = ({ bundle, stepNo, grade, group }: PlannedBlueprint, { code }: Batch): string =>
  `${code}-${bundle.bundle_id}-${String(stepNo).padStart(2, '0')}-G${grade}-${group}`;

interface Slots {
  /** The names of the first, second … item in the script. */
  readonly names: string;
  readonly scriptAr: string;
  readonly planned: PlannedBlueprint;
  /** The items that the blueprint's other form asks. */
  readonly ofOtherForm: ReadonlySet<BankItem> | undefined;
}

/** Chooses the items for the codes. `*` alternates the targets, beginning with another one at every step. */
function choose(
  codes: readonly string[],
  { names, scriptAr, planned, ofOtherForm }: Slots,
  choice: ItemChoice,
  taken: Set<BankItem>,
): BankItem[] {
  const first = planned.stepNo + taken.size;
  return codes.map((wanted, at) => {
    const target = planned.targets[(first + at) % planned.targets.length] ?? wanted;
    const [code = '', shape] = wanted === '*' ? [target] : wanted.split(':');
    const further = codes.length > 3 ? (at / (codes.length - 1) - 0.5) * 0.5 : 0;
    const slot = { code, shape, fields: fieldsOf(scriptAr, names[at] ?? ''), further };
    const item = choice.take(planned, slot, taken, ofOtherForm);
    taken.add(item);
    return item;
  });
}

function blueprintItem({ publicId, subSkillCode, itemType, prompt, options, correctIndex }: BankItem) {
  const optionSpeechAr = options.flatMap(({ speech }) => (speech === null ? [] : [speech]));
  return {
    itemRef: publicId,
    subSkillCode,
    taskType: itemType,
    promptAr: prompt.text,
    speechAr: prompt.speech,
    passageAr: prompt.passage,
    options: options.map(({ text }) => text),
    optionSpeechAr: optionSpeechAr.length > 0 ? optionSpeechAr : null,
    correctOptionIndex: correctIndex,
  };
}
