// timeout: 600s
// Response behaviour and sub-flags with their constants at both ends of the ranges.
import { suite } from 'uvu';
import { namesOf } from './cases.ts';
import { testEnds } from './test-ends.ts';

const test = suite('ends of the behaviour’s constants');
testEnds(test, (one) => namesOf(one).every((name) => name === 'rbm/rbm' || name === 'subflag/subflag'));
test.run();
