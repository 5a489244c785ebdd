// timeout: 400s
// The two implementations of the analysis, boxes and cells, are independent and must agree.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CellAnalysis } from '#rules/rulesets/engine/analysis/cell-analysis.ts';
import { analyseByBoxes } from '#rules/rulesets/engine/analysis/coverage/by-boxes.ts';
import { layersOf } from '#rules/rulesets/engine/analysis/layers.ts';
import { cellCount } from '#rules/rulesets/engine/boundaries/cells.ts';
import type { TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { shippedTables } from '../../tables.ts';
import { analyseByCells, maxCells } from './by-cells.ts';
import { randomTable } from './random-tables.ts';

const byBoxes = (document: TableDocument): CellAnalysis => analyseByBoxes(layersOf(document));

const seeds = 300;
for (const hitPolicy of ['first', 'collect'] as const) {
  test(`${hitPolicy}: boxes and cells agree on ${seeds} random tables, and these have every kind of defect`, () => {
    const seen = { gap: 0, unreachable: 0, breaks: 0, idleConditions: 0, idleRows: 0, overlaps: 0, constrained: 0 };
    for (let seed = 1; seed <= seeds; seed += 1) {
      const size = {
        rules: 2 + (seed % 7),
        facts: 2 + (seed % 4),
        leaves: 1 + (seed % 3),
        constraints: seed % 3,
        hitPolicy,
      };
      const document = randomTable(seed, size);
      const found = byBoxes(document);
      assert.equal(found, analyseByCells(document), `seed ${seed}`);
      seen.gap += found.gapCells;
      seen.unreachable += found.cellsOfRow.filter((cells) => cells === 0).length;
      seen.breaks += found.breaks.length;
      seen.idleConditions += found.idleConditions.length;
      seen.idleRows += found.idleRows.length;
      seen.overlaps += found.overlaps.length;
      seen.constrained += size.constraints;
    }
    const firstOnly = ['breaks', 'idleRows', 'overlaps'];
    for (const [kind, count] of Object.entries(seen)) {
      if (hitPolicy === 'first' || !firstOnly.includes(kind)) assert.ok(count > 10, `${kind} hardly occurs: ${count}`);
    }
  });
}

for (const { id, document, table } of await shippedTables()) {
  if (cellCount(table) > maxCells) {
    test(`${id}: a table that is too large to enumerate is refused`, () => {
      assert.throws(() => analyseByCells(document), /are too many to walk/);
    });
  } else {
    test(`${id}: boxes and cells agree`, () => assert.equal(byBoxes(document), analyseByCells(document)));
  }
}

test.run();
