// timeout: 600s
// Oral reading with its numbers and benchmarks at both ends of the ranges.
import { suite } from 'uvu';
import { namesOf } from './cases.ts';
import { testEnds } from './test-ends.ts';

const test = suite('ends of the numbers of fluency');
testEnds(test, (one) => namesOf(one).every((name) => name === 'cbm/trend' || name.startsWith('benchmark/')));
test.run();
