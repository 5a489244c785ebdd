// What rows of one sub-skill come to, one after the other.
import { type JudgedRow, type Measurement, withRow } from '#support/rti/engine/skills/measurements.ts';

export const measurementsOf = (rows: readonly JudgedRow[]): readonly Measurement[] =>
  rows.reduce<readonly Measurement[]>(withRow, []);
