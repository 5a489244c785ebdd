// timeout: 600s
// The numbers of response behaviour and of the sub-flags at their ends.
import { suite } from 'uvu';
import { namesOf } from './cases.ts';
import { walk } from './walk.ts';

const test = suite('ends of the behaviour’s constants');
walk(test, (one) => namesOf(one).every((name) => name === 'rbm/rbm' || name === 'subflag/subflag'));
test.run();
