// Analysis runs while somebody edits a table, so it has to answer at once.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { examineByBoxes } from '../../../src/rulesets/engine/analysis/by-boxes.ts';
import { tableFindings } from '../../../src/rulesets/engine/analysis/findings.ts';
import { layersOf } from '../../../src/rulesets/engine/analysis/layers.ts';
import { randomTable } from './random-tables.ts';

const budgetMs = 2000;

for (const seed of [1, 2, 3]) {
  test(`40 rules over 12 facts, seed ${seed}: analysed in under ${budgetMs} ms of processor time`, () => {
    const document = randomTable(seed, { rules: 40, facts: 12, leaves: 3, constraints: 2, hitPolicy: 'first', plain: true });
    const before = process.cpuUsage();
    const layers = layersOf(document);
    const findings = tableFindings(layers, examineByBoxes(layers));
    const { user, system } = process.cpuUsage(before);
    assert.ok(findings.length > 0);
    assert.ok((user + system) / 1000 < budgetMs, `${(user + system) / 1000} ms`);
  });
}

test.run();
