// Simulates the rules of one kind of notification: what would have become of each request of the last days.

import Type from 'typebox';
import { nullable } from '#core/http/schemas.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { documentName, type ExemplarSlot, type RecordSimulator, type SimulationTally } from '#rules/rulesets/index.ts';
import { isKindDocument, simulatedKind } from './kind.ts';
import { countNotified, type SimulatedRow, simulatedRequests } from './requests.ts';
import { NoticesSection, noticeCountName, noticesSection } from './section.ts';

export const notificationSimulator: RecordSimulator = {
  compares: 'records',
  rank: 80,
  layers: ['NOTIFICATION'],
  simulates: isKindDocument,
  section: { name: 'notices', schema: Type.Optional(nullable(NoticesSection)) },
  prepare: ({ before, after, documents }) => {
    const [draft] = documents.filter((one) => isKindDocument(documentName(one)));
    if (!draft) throw new RangeError('no document is about a kind of notification');
    const kind = simulatedKind(before.documents, draft);
    return {
      scales: { NOTIFICATION: ['UnknownKind', 'PayloadInvalid', 'LanguageUnsafe', 'told'] },
      withoutStudent: kind.withoutStudent,
      compare: async (tally, reading, _services, of) => {
        const asked = { ...of, kind: kind.kind };
        const changes = new Map<number, boolean>();
        for (const row of await simulatedRequests(reading, { before, after }, asked)) {
          const isChanged = tallyRequest(tally, row);
          if (row.studentId !== null) changes.set(row.studentId, isChanged || changes.get(row.studentId) === true);
        }
        if (kind.daysBefore !== null && kind.daysAfter < kind.daysBefore) {
          const kept = { since: daysBefore(of.asOf, kind.daysBefore), asOf: daysBefore(of.asOf, kind.daysAfter) };
          const removed = await reading((trx) => countNotified(trx, { ...asked, ...kept }));
          tally.addHits('after', noticeCountName('removed'), removed);
        }
        return changes;
      },
      explain: async () => explain,
      sectionOf: (counts) => noticesSection(counts, kind),
    };
  },
};

const daysBefore = (instant: string, days: number): string =>
  new Date(Date.parse(instant) - days * dayMs).toISOString();

/** Adds one request, and returns whether its outcome changes. A request that is about no student is only counted. */
function tallyRequest(
  tally: SimulationTally,
  { eventId, studentId, notificationId, before, after }: SimulatedRow,
): boolean {
  tally.addHits('before', noticeCountName(before));
  tally.addHits('after', noticeCountName(after));
  if (studentId === null) return before !== after;
  const pair = { subject: String(eventId), from: before, to: after };
  return tally.addPairs('NOTIFICATION', { studentId, ref: notificationId ?? '' }, [pair]);
}

/** A request without a notification has no stored row that could be explained. */
const explain = ({ ref, subject, from, to }: ExemplarSlot) => ({
  stampId: ref === '' ? `request:${subject}` : `notification:${ref}`,
  before: { ruleId: null, outcome: from, facts: null },
  after: { ruleId: null, outcome: to, facts: null },
});
