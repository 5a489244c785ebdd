// timeout: 600s
// The numbers of oral reading and of its benchmarks at their ends.
import { suite } from 'uvu';
import { namesOf } from './cases.ts';
import { walk } from './walk.ts';

const test = suite('ends of the numbers of fluency');
walk(test, (one) => namesOf(one).every((name) => name === 'cbm/trend' || name.startsWith('benchmark/')));
test.run();
