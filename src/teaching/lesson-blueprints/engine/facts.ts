// What is asked of a blueprint, fact by fact, and where in it each answer lies: rules decide which of them is a finding.
import type { Catalogue, Roles } from '#rules/catalogue/engine/index.ts';
import type { BundleCatalogue, InterventionBundle } from '#support/interventions/engine/index.ts';
import type { NewBlueprint } from '../schemas.ts';
import { optionFaults } from './options.ts';
import { refFaults, segmentFaults } from './segments.ts';

export interface BlueprintWorld {
  readonly bundles: BundleCatalogue;
  readonly catalogue: Catalogue;
  readonly roles: Roles;
  readonly isAssignable: (bundle: InterventionBundle) => boolean;
}

export interface BlueprintQuestion {
  readonly blueprint: NewBlueprint;
  /** How often its code stands in the batch. */
  readonly sameCodes: number;
  /** The published version of its code says the same. */
  readonly samePublished: boolean;
  /** Dotted paths of texts that their readers may not be told. */
  readonly unsafeTexts: readonly string[];
}

/** Dotted paths in a blueprint; none: it is as it should be. */
type Places = readonly string[];

/** Facts that are true where nothing is found, with what is found. */
export interface Checked {
  readonly facts: Readonly<Record<string, boolean | number>>;
  readonly places: Readonly<Record<string, Places>>;
}

export function checkedFacts(question: BlueprintQuestion, world: BlueprintWorld): Checked {
  const { blueprint, sameCodes, samePublished, unsafeTexts } = question;
  const bundle = world.bundles.byId.get(blueprint.bundle_id);
  const checkItems = itemsOfChecks(blueprint);
  const faults: Record<string, Places> = {
    usable: bundle?.state === 'active' && world.isAssignable(bundle) ? [] : ['bundle_id'],
    stepFits: stepFaults(blueprint, bundle),
    offered: offerFaults(blueprint, bundle),
    targetsFit: targetFaults(blueprint, bundle, world),
    segmentsFit: segmentFaults(blueprint),
    refsFit: refFaults(blueprint),
    optionsFit: optionFaults(blueprint),
    textsSafe: unsafeTexts,
    codeUnique: sameCodes > 1 ? ['blueprintCode'] : [],
    itemsOnTarget: foreignItems(blueprint),
  };
  const flags = Object.entries(faults).map(([name, places]) => [name, places.length === 0] as const);
  const goalStep = bundle?.steps.some(({ stepNo, goal }) => stepNo === blueprint.stepNo && goal !== null) ?? false;
  return {
    facts: { ...Object.fromEntries(flags), goalStep, checkItems, samePublished },
    places: { ...faults, checkItems: ['segments'] },
  };
}

function stepFaults({ stepNo, sessionRole }: NewBlueprint, bundle: InterventionBundle | undefined): Places {
  const step = bundle?.steps.find((one) => one.stepNo === stepNo);
  if (!step) return ['stepNo'];
  return step.sessionRole === sessionRole ? [] : ['sessionRole'];
}

function offerFaults({ grade, deliveryModes }: NewBlueprint, bundle: InterventionBundle | undefined): Places {
  const modes = deliveryModes.flatMap((mode, at) =>
    bundle?.deliveryModes.includes(mode) ? [] : [`deliveryModes.${at}`],
  );
  return bundle?.grades.includes(grade) ? modes : ['grade', ...modes];
}

function targetFaults(
  { targetSubSkillCodes, anchorSkillGroup }: NewBlueprint,
  bundle: InterventionBundle | undefined,
  { catalogue, roles }: BlueprintWorld,
): Places {
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

const foreignItems = ({ items, targetSubSkillCodes }: NewBlueprint): Places =>
  items.flatMap(({ subSkillCode }, at) => (targetSubSkillCodes.includes(subSkillCode) ? [] : [`items.${at}`]));

/** How many items on a target are worked on in segments that check. */
function itemsOfChecks({ segments, items, targetSubSkillCodes }: NewBlueprint): number {
  const checked = new Set(segments.flatMap(({ kind, itemRefs }) => (kind === 'check' ? itemRefs : [])));
  const counted = items.filter(
    ({ itemRef, subSkillCode }) => checked.has(itemRef) && targetSubSkillCodes.includes(subSkillCode),
  );
  return new Set(counted.map(({ itemRef }) => itemRef)).size;
}
