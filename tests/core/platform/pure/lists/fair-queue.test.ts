// The order of waiting requests.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FairQueue } from '#core/platform/pure/lists/fair-queue.ts';

const asker = (organizationId: string | null, userId: number) => ({ organizationId, userId });

function served(queue: FairQueue<string>, most = Number.POSITIVE_INFINITY): string {
  const all: string[] = [];
  for (let item = queue.next(); item !== undefined; item = all.length < most ? queue.next() : undefined) all.push(item);
  return all.join(' ');
}

test('requests of one person keep their order', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a', 'b', 'c']) queue.push(asker('A', 1), item);
  assert.is(served(queue), 'a b c');
  assert.is(queue.next(), undefined);
});

test('a request of another organization waits for one of the many, not for all', () => {
  const queue = new FairQueue<string>();
  for (let at = 0; at < 400; at++) queue.push(asker('A', 1), 'a');
  assert.is(queue.next(), 'a');
  queue.push(asker('B', 2), 'b');
  assert.is(served(queue, 2), 'b a');
});

test('people of one organization alternate', () => {
  const queue = new FairQueue<string>();
  for (const item of ['1', '1', '1']) queue.push(asker('A', 1), item);
  for (const item of ['2', '2']) queue.push(asker('A', 2), item);
  queue.push(asker('A', 3), '3');
  assert.is(served(queue), '1 2 3 1 2 1');
});

test('an organization with many people is served no more often than one with a single person', () => {
  const queue = new FairQueue<string>();
  for (let person = 1; person <= 3; person++) queue.push(asker('A', person), `a${person}`);
  for (const item of ['b', 'b', 'b']) queue.push(asker('B', 9), item);
  assert.is(served(queue), 'a1 b a2 b a3 b');
});

test('the person who was served longest ago is first, also after an idle time', () => {
  const queue = new FairQueue<string>();
  for (const id of ['A', 'B', 'C']) queue.push(asker(id, 1), id);
  assert.is(served(queue), 'A B C');
  for (const id of ['C', 'B', 'A']) queue.push(asker(id, 1), id);
  assert.is(served(queue), 'A B C');
});

test('people without organization are distinguished, and so are numbers and names', () => {
  const queue = new FairQueue<string>();
  for (const item of ['1', '1']) queue.push(asker(null, 1), item);
  queue.push(asker('null', 2), '2');
  assert.is(queue.size, 3);
  assert.equal(queue.drain(), ['1', '1', '2']);
  assert.is(queue.size, 0);
});

test.run();
