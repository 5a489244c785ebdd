// Folds rows of one sub-skill into measurements.
import { type Measurement, type SnapshotRow, withRow } from '#support/rti/engine/skills/measurements.ts';

export const measurementsOf = (rows: readonly SnapshotRow[]): readonly Measurement[] =>
  rows.reduce<readonly Measurement[]>(withRow, []);
