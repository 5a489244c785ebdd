// Reads an accepted calibration: the proposal for each item that the next bank adopts.
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import type { CalibratedItem } from './engine/build-bank.ts';
import { readJson } from './files.ts';

const Calibration = Type.Object({
  version: Type.String({ pattern: '^CAL@[1-9][0-9]*$' }),
  cells: Type.Record(
    Type.String(),
    Type.Object({
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          version: Type.Integer({ minimum: 1 }),
          n: Type.Integer({ minimum: 1 }),
          difficulty: Type.Number({ minimum: -4, maximum: 4 }),
        }),
      ),
    }),
  ),
});
type Calibration = Static<typeof Calibration>;

const calibrationFile = shapeOf<Calibration>(Calibration);

/**
 * Reads `rules/content/calibration/cal.v<number>.json`; null when the bank is not calibrated. Throws RangeError when
 * the file is another calibration.
 */
export async function readCalibration(
  rulesDir: string,
  number: number | null,
): Promise<ReadonlyMap<string, CalibratedItem>> {
  if (number === null) return new Map();
  const file = path.join(rulesDir, `content/calibration/cal.v${number}.json`);
  const document = calibrationFile(await readJson<unknown>(file), file);
  if (document.version !== `CAL@${number}`) throw new RangeError(`${file} says that it is ${document.version}`);
  const items = Object.values(document.cells).flatMap((cell) => cell.items);
  return new Map(
    items.map(({ id, version, n, difficulty }) => [id, { version, n, difficulty, calibration: document.version }]),
  );
}
