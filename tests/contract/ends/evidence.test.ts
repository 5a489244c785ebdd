// timeout: 600s
// The engine's thresholds at their ends: no result vanishes, none fails.
import { suite } from 'uvu';
import { namesOf } from './cases.ts';
import { walk } from './walk.ts';

const test = suite('ends of the evidence’s constants');
walk(test, (one) => namesOf(one).includes('dth/dth'));
test.run();
