// Checks constants of measurement that are valid individually but contradict each other. It runs before publishing, so
// that no session starts with them.

import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { gradeBands } from '../content/index.ts';
import { type MeasurementDocument, measurementDocument, measurementNumbers } from './scoring/engine/values.ts';

/** Throws RangeError with the first contradiction. */
export function refuseContradictions(bundle: RuleBundle): void {
  const document = bundle.values<MeasurementDocument>(measurementDocument);
  const constant = measurementNumbers(document);
  const longestSeconds = Math.max(...Object.values(document.expectedSeconds));
  // An opened sub-skill must reach DTH-MIN-01 items, since an incomplete one would halt the student.
  refuse(constant('DIA-MAX-01') < constant('DTH-MIN-01'), 'DIA-MAX-01 is less than DTH-MIN-01');
  refuse(constant('DIA-UNI-01') < constant('DTH-MIN-01'), 'DIA-UNI-01 is less than DTH-MIN-01');
  const openingMs = constant('DTH-MIN-01') * longestSeconds * 1000;
  refuse(constant('DIA-CAP-01') < openingMs, `DIA-CAP-01 is too short to open a sub-skill: ${openingMs}`);
  refuse(constant('SEL-WIN-01') > constant('SEL-WIN-02'), 'SEL-WIN-01 is wider than SEL-WIN-02');
  refuse(constant('WRM-RES-01') * 60 < constant('WRM-DUR-01'), 'a warm-up ends after it can be resumed');
  refuseOpenGrades(document);
  refuseOpenMonths(bundle.values<CatalogueDocument>('catalogue/subskills'));
}

function refuseOpenGrades({ gradeBands: bands, firstParts }: MeasurementDocument): void {
  const grades = gradeBands.flatMap((band) => bands[band].grades);
  refuse(!isOnceEach(grades, 4), 'every grade from 1 to 4 is of one band');
  const begun = firstParts.map(({ grade }) => grade);
  refuse(!isOnceEach(begun, 4), 'every grade from 1 to 4 has one first part');
}

function refuseOpenMonths({ seasons }: CatalogueDocument): void {
  refuse(
    !isOnceEach(
      seasons.flatMap(({ months }) => months),
      12,
    ),
    'every month is of one season',
  );
  refuse(
    !isOnceEach(
      seasons.map(({ code }) => ['BOY', 'MOY', 'EOY'].indexOf(code) + 1),
      3,
    ),
    'a season occurs twice',
  );
}

/** Returns whether the numbers are a permutation of 1 to `last`. */
const isOnceEach = (numbers: readonly number[], last: number): boolean =>
  numbers.length === last && new Set(numbers).size === last && numbers.every((one) => one >= 1 && one <= last);

function refuse(isContradiction: boolean, what: string): void {
  if (isContradiction) throw new RangeError(what);
}
