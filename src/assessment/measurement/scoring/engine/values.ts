// The constants of measurement, read from a pinned `scoring/measurement` document.

import type { Constant, RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { BandGrades, GradeBand, ItemType } from '../../../content/engine/index.ts';

export interface MeasurementDocument {
  readonly constants: Readonly<Record<string, Constant>>;
  readonly expectedSeconds: Readonly<Record<ItemType, number>>;
  readonly gradeBands: Readonly<Record<GradeBand, { readonly grades: readonly number[]; readonly options: number }>>;
  readonly firstParts: readonly { readonly grade: number; readonly subSkills: readonly string[] }[];
  readonly calibrationVersion: string;
}

export interface MeasurementValues {
  readonly minScoredForTheta: number;
  readonly trustedCalibrationN: number;
  readonly nearLogit: number;
  readonly fairLogit: number;
  readonly seenDays: number;
  readonly minItemsToOpen: number;
  readonly maxItems: number;
  readonly uniformAfter: number;
  readonly activeMsCap: number;
  readonly sessionHours: number;
  readonly subSkillsPerPart: number;
  readonly firstParts: ReadonlyMap<number, readonly string[]>;
  readonly gradeBands: BandGrades;
  readonly calibrationVersion: string;
}

export const measurementDocument = 'scoring/measurement';

/** Returns a reader of the document's constants by id. Throws RangeError for a missing one. */
export const measurementNumbers =
  ({ constants }: Pick<MeasurementDocument, 'constants'>) =>
  (id: string): number => {
    const value = constants[id]?.value;
    if (typeof value !== 'number') throw new RangeError(`${measurementDocument} holds no number ${id}`);
    return value;
  };

/** Throws BundleError when the document is missing, RangeError when a constant is. */
export function readMeasurementValues(bundle: RuleBundle): MeasurementValues {
  const document = bundle.values<MeasurementDocument>(measurementDocument);
  const constant = measurementNumbers(document);
  return {
    minScoredForTheta: constant('EAP-MIN-01'),
    trustedCalibrationN: constant('CAL-MIN-01'),
    nearLogit: constant('SEL-WIN-01'),
    fairLogit: constant('SEL-WIN-02'),
    seenDays: constant('SEL-SEEN-01'),
    minItemsToOpen: constant('DTH-MIN-01'),
    maxItems: constant('DIA-MAX-01'),
    uniformAfter: constant('DIA-UNI-01'),
    activeMsCap: constant('DIA-CAP-01'),
    sessionHours: constant('DIA-EXP-01'),
    subSkillsPerPart: constant('DIA-PART-01'),
    firstParts: new Map(document.firstParts.map(({ grade, subSkills }) => [grade, subSkills])),
    gradeBands: document.gradeBands,
    calibrationVersion: document.calibrationVersion,
  };
}
