// A test file that still needs at its end what was opened first.
import { suite } from 'uvu';
import { lastly } from '../../../scripts/test/uvu.ts';

const test = suite('closing');
lastly(test, async () => void process.stdout.write('closed\n'));
test.after(() => void process.stdout.write('still open\n'));
test('runs', () => {});
test.run();
