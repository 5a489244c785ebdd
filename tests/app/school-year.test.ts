// timeout: 300s
// A year of one class of eight children, day by day over HTTP: they are measured and taught, alerts open, packets wait, tiers
// change, the summer comes and the next year. After each night, what must not be forgotten is not forgotten.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { UserRow } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';
import { installEverything } from '../harness/rules.ts';
import { calendarOf, datesFrom, weekday } from './year-calendar.ts';
import { schoolDays } from './year-days.ts';
import { buildYearSchool, type ChildName, childNames, handsOf } from './year-school.ts';
import {
  decodingAndLanguage,
  nextYear,
  partOfDecoding,
  partOfLanguage,
  type Story,
  storiesOf,
} from './year-stories.ts';
import { watchYear } from './year-watch.ts';

const test = suite('the year of a class');
const noLimits = { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' };
const app = useApp(test, { settings: noLimits });
const { owner } = app.database;

const [firstDay, lastDay] = ['2025-09-07', '2026-09-17'];
const midTerm = datesFrom('2025-11-23', '2025-11-27');
const summer = datesFrom('2026-06-14', '2026-08-29');
const weakAtFirst = {
  ...{ steep: decodingAndLanguage, ignored: decodingAndLanguage, untaught: decodingAndLanguage },
  ...{ quick: partOfDecoding, dismissed: partOfLanguage, fine: {}, halted: {} },
} as const;

/** A story and what it waits for. */
interface Running {
  readonly name: string;
  readonly story: Story;
  until: () => boolean | Promise<boolean>;
  hasEnded: boolean;
}

async function goOn(one: Running): Promise<void> {
  while (!one.hasEnded && (await one.until())) {
    const { done, value } = await one.story.next();
    if (done) one.hasEnded = true;
    else one.until = value;
  }
}

test('nothing stays open untold, nobody is forgotten, and no week is counted in the summer', async () => {
  app.clock.set(`${firstDay}T05:00:00.000Z`);
  await installEverything(owner);
  const school = await buildYearSchool(app);
  const { organizationId, children, admin, teacher, classRow } = school;
  const hands = handsOf(app);
  let holidays: readonly string[] = [];
  let calendar = calendarOf(holidays);
  let substitute: UserRow | undefined;
  const lessons = new Map<ChildName, number>();
  const days = schoolDays(app, organizationId, () => calendar);
  const setHolidays = async (change: (present: readonly string[]) => readonly string[]) => {
    holidays = change(holidays);
    await hands.patch(admin, `/api/organizations/${organizationId}`, { holidays });
    calendar = calendarOf(holidays);
  };
  const stories = storiesOf({
    ...{ owner, school, hands, days, setHolidays },
    setLessons: (name, perWeek) => void lessons.set(name, perWeek),
    setSubstitute(user) {
      substitute = user;
    },
  });
  const running = Object.entries(stories).map(
    ([name, begin]): Running => ({ name, story: begin(), until: () => true, hasEnded: false }),
  );
  const watch = watchYear(owner, hands, school);

  /** What happens on these dates to all of the school. */
  async function turnYear(date: string): Promise<void> {
    if (date === nextYear.beginsOn) {
      await hands.post(admin, `/api/schools/${school.school.id}/roll-over`, { fromYear: '2025-2026' }, 201);
      await days.settle();
    }
    if (date === nextYear.measuredOn) for (const name of childNames) await hands.measure(children[name], {});
  }

  async function teach(date: string): Promise<void> {
    const taught = [...lessons].filter(([, perWeek]) => weekday(date) < perWeek).map(([name]) => children[name]);
    if (taught.length > 0) await hands.teach(substitute ?? teacher, classRow, taught);
  }

  await days.begin(firstDay);
  await setHolidays(() => [...midTerm, ...summer]);
  for (const name of childNames) if (name !== 'unmeasured') await hands.measure(children[name], weakAtFirst[name]);
  await hands.measure(children.halted, {}, { most: 3 });
  await days.settle();
  for (const date of datesFrom(firstDay, lastDay).slice(1)) {
    await days.begin(date);
    if (date === nextYear.turnsOn) for (const ids of Object.values(hands.known)) ids.clear();
    await watch.check(date, calendar);
    await turnYear(date);
    for (const one of running) await goOn(one);
    if (calendar.isSchoolDay(date)) await teach(date);
    await days.settle();
  }
  assert.equal(
    running.filter(({ hasEnded }) => !hasEnded).map(({ name }) => name),
    [],
  );
});

test.run();
