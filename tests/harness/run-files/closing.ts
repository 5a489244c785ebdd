// A test file whose last hook still needs what the first one opened.
import { suite } from 'uvu';
import { lastly } from '../../../scripts/test/uvu.ts';

const test = suite('closing');
lastly(test, async () => void process.stdout.write('closed\n'));
test.after(() => void process.stdout.write('still open\n'));
test('runs', () => {});
test.run();
