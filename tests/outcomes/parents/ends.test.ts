// The numbers of `growth-trend/tile` at their ends: every child still has a trajectory, or the document is refused.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { trajectories } from '#outcomes/parents/engine/enums.ts';
import { compileGrowth } from '#outcomes/parents/engine/growth.ts';
import { overlaid } from '#rules/rulesets/index.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { endCases, namesOf, refusalOf } from '../../contract/ends/cases.ts';

const cases = endCases().filter((one) => namesOf(one).includes('growth-trend/tile'));
const values = ['Severe', 'Below', 'Approaching', 'Meets'] as const;

for (const one of cases) {
  test(`${one.name}: refused, or every child has a trajectory`, () => {
    if (refusalOf(one.documents).length > 0) return;
    const growth = compileGrowth(overlaid(bundle, one.documents), []);
    for (const halted of [false, true]) {
      for (let points = 0; points <= 3; points++) {
        for (const turned of [values, values.toReversed()]) {
          assert.ok(trajectories.includes(growth.trajectoryOf(halted, turned.slice(0, points))));
        }
      }
    }
  });
}

test('every number has two ends', () => assert.is(cases.length, 4));

test.run();
