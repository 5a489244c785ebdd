// Every zone in use, and its former names, are accepted, and the database means the same zone.
import fs from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isTimeZone } from '#core/platform/pure/dates/time-zones.ts';
import { useDatabase } from '../../../harness/database.ts';
import { skipped } from '../../../harness/needs.ts';

const { owner } = useDatabase(test);

const former = [
  'Asia/Calcutta',
  'Europe/Kiev',
  'Africa/Asmera',
  'Asia/Saigon',
  'Asia/Katmandu',
  'Egypt',
  'GB',
  'US/Eastern',
];
const present = [
  'Asia/Kolkata',
  'Europe/Kyiv',
  'Africa/Asmara',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Etc/UTC',
  'UTC',
];
const none = [
  '',
  '+03:00',
  '-0300',
  'Z',
  'Riyadh',
  'Mars/Olympus',
  'BST',
  'ist',
  'SystemV/PST8',
  'Asia/Riyadh ',
  'GMT+3',
];

for (const name of [...former, ...present]) test(`${name} is a time zone`, () => assert.ok(isTimeZone(name)));
for (const name of none) test(`“${name}” is none`, () => assert.not.ok(isTimeZone(name)));

/** An instant of each season: 15 January and 15 July 2026. */
const instants = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'];

/** Returns the local times as the process computes them. */
function localTimes(timeZone: string): string[] {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return instants.map((at) => format.format(new Date(at)));
}

async function localTimesInDatabase(names: readonly string[]): Promise<readonly { name: string; times: string[] }[]> {
  const { rows } = await owner.raw(
    `select n as name, array(select to_char(at::timestamptz at time zone n, 'YYYY-MM-DD HH24:MI')
       from unnest(?::text[]) at) as times from unnest(?::text[]) n`,
    [instants, [...names]],
  );
  return rows;
}

test('former and present names mean the same to the process and the database', async () => {
  for (const { name, times } of await localTimesInDatabase([...former, ...present])) {
    assert.equal(times, localTimes(name), name);
  }
});

const zoneTab = '/usr/share/zoneinfo/zone.tab';
if (!fs.existsSync(zoneTab)) skipped('the zones of zone.tab', `needs ${zoneTab}`);

(fs.existsSync(zoneTab) ? test : test.skip)(
  'all zones of zone.tab are accepted and known to the database',
  async () => {
    const lines = fs.readFileSync(zoneTab, 'utf8').split('\n');
    const names = lines.flatMap((line) => (line.startsWith('#') ? [] : (line.split('\t')[2] ?? [])));
    assert.ok(names.length > 400);
    assert.equal(
      names.filter((name) => !isTimeZone(name)),
      [],
    );
    const differing = (await localTimesInDatabase(names)).filter(
      ({ name, times }) => times.join() !== localTimes(name).join(),
    );
    assert.equal(differing, []);
  },
);

test.run();
