// The facts about a blueprint, with the paths of its faults. The rules decide which facts are findings.
import type { Catalogue, Roles } from '#rules/catalogue/engine/index.ts';
import type { BundleCatalogue, InterventionBundle } from '#support/interventions/engine/index.ts';
import type { NewBlueprint } from '../schemas.ts';
import { optionFaults, refFaults, segmentFaults } from './faults.ts';

export interface BlueprintContext {
  readonly bundles: BundleCatalogue;
  readonly catalogue: Catalogue;
  readonly roles: Roles;
  readonly isAssignable: (bundle: InterventionBundle) => boolean;
}

export interface BlueprintInput {
  readonly blueprint: NewBlueprint;
  /** How often its code occurs in the batch. */
  readonly sameCodes: number;
  /** True when the published version of its code has the same content. */
  readonly samePublished: boolean;
  /** Dotted paths of texts that are not allowed for their readers. */
  readonly unsafeTexts: readonly string[];
}

/** Dotted paths in a blueprint; empty without a fault. */
type Paths = readonly string[];

/** Facts, which are true without a fault, and the paths of the faults by fact. */
export interface CheckedFacts {
  readonly facts: Readonly<Record<string, boolean | number>>;
  readonly paths: Readonly<Record<string, Paths>>;
}

export function checkedFacts(input: BlueprintInput, context: BlueprintContext): CheckedFacts {
  const { blueprint, sameCodes, samePublished, unsafeTexts } = input;
  const bundle = context.bundles.byId.get(blueprint.bundle_id);
  const checkItems = itemsOfChecks(blueprint);
  const faults: Record<string, Paths> = {
    usable: bundle?.state === 'active' && context.isAssignable(bundle) ? [] : ['bundle_id'],
    stepFits: stepFaults(blueprint, bundle),
    offered: offerFaults(blueprint, bundle),
    targetsFit: targetFaults(blueprint, bundle, context),
    segmentsFit: segmentFaults(blueprint),
    refsFit: refFaults(blueprint),
    optionsFit: optionFaults(blueprint),
    textsSafe: unsafeTexts,
    codeUnique: sameCodes > 1 ? ['blueprintCode'] : [],
    itemsOnTarget: foreignItems(blueprint),
  };
  const flags = Object.entries(faults).map(([name, paths]) => [name, paths.length === 0] as const);
  const goalStep = bundle?.steps.some(({ stepNo, goal }) => stepNo === blueprint.stepNo && goal !== null) ?? false;
  return {
    facts: { ...Object.fromEntries(flags), goalStep, checkItems, samePublished },
    paths: { ...faults, checkItems: ['segments'] },
  };
}

function stepFaults({ stepNo, sessionRole }: NewBlueprint, bundle: InterventionBundle | undefined): Paths {
  const step = bundle?.steps.find((one) => one.stepNo === stepNo);
  if (!step) return ['stepNo'];
  return step.sessionRole === sessionRole ? [] : ['sessionRole'];
}

function offerFaults({ grade, deliveryModes }: NewBlueprint, bundle: InterventionBundle | undefined): Paths {
  const modes = deliveryModes.flatMap((mode, at) =>
    bundle?.deliveryModes.includes(mode) ? [] : [`deliveryModes.${at}`],
  );
  return bundle?.grades.includes(grade) ? modes : ['grade', ...modes];
}

function targetFaults(
  { targetSubSkillCodes, anchorSkillGroup }: NewBlueprint,
  bundle: InterventionBundle | undefined,
  { catalogue, roles }: BlueprintContext,
): Paths {
  const fits = (code: string): boolean => {
    const subSkill = catalogue.byCode.get(code);
    if (!subSkill || !bundle) return false;
    if (bundle.roles.length > 0) {
      return bundle.roles.some((role) => roles.byCode.get(role)?.subSkills.some((one) => one.code === code));
    }
    return bundle.objectType === 'LIGHT_SUPPORT_ACTION' || subSkill.accuracyIndicator;
  };
  const targets = targetSubSkillCodes.flatMap((code, at) => (fits(code) ? [] : [`targetSubSkillCodes.${at}`]));
  const isGroup = targetSubSkillCodes.some((code) => roles.groupOf.get(code) === anchorSkillGroup);
  return isGroup ? targets : [...targets, 'anchorSkillGroup'];
}

const foreignItems = ({ items, targetSubSkillCodes }: NewBlueprint): Paths =>
  items.flatMap(({ subSkillCode }, at) => (targetSubSkillCodes.includes(subSkillCode) ? [] : [`items.${at}`]));

/** Returns the number of items of target sub-skills in segments of kind `check`. */
function itemsOfChecks({ segments, items, targetSubSkillCodes }: NewBlueprint): number {
  const checked = new Set(segments.flatMap(({ kind, itemRefs }) => (kind === 'check' ? itemRefs : [])));
  const counted = items.filter(
    ({ itemRef, subSkillCode }) => checked.has(itemRef) && targetSubSkillCodes.includes(subSkillCode),
  );
  return new Set(counted.map(({ itemRef }) => itemRef)).size;
}
