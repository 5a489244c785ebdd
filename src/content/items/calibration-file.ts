// An accepted calibration on disk: what a proposal says of each item, as the next bank takes it over.
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
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

const ajv = new Ajv2020({ strict: false, allErrors: true });
const isCalibration = ajv.compile<Calibration>(Calibration);

/** `rules/content/calibration/cal.v<number>.json`; null: the bank is not calibrated. Throws RangeError for another file. */
export async function readCalibration(
  rulesDir: string,
  number: number | null,
): Promise<ReadonlyMap<string, CalibratedItem>> {
  if (number === null) return new Map();
  const file = path.join(rulesDir, `content/calibration/cal.v${number}.json`);
  const document = await readJson<unknown>(file);
  if (!isCalibration(document)) throw new RangeError(`${file}: ${ajv.errorsText(isCalibration.errors)}`);
  if (document.version !== `CAL@${number}`) throw new RangeError(`${file} says that it is ${document.version}`);
  const items = Object.values(document.cells).flatMap((cell) => cell.items);
  return new Map(
    items.map(({ id, version, n, difficulty }) => [id, { version, n, difficulty, calibration: document.version }]),
  );
}
