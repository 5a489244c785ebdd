// timeout: 600s
// The engine with its thresholds at both ends of their ranges: no result disappears, and no run fails.
import { suite } from 'uvu';
import { namesOf } from './cases.ts';
import { testEnds } from './test-ends.ts';

const test = suite('ends of the evidence’s constants');
testEnds(test, (one) => namesOf(one).includes('dth/dth'));
test.run();
