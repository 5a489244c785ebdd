// The letters of a whole class as a report that a worker renders. Facts are read once, and each letter is rendered like
// a single one.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { jobOwner } from '#core/platform/pdf/printer.ts';
import type { TaskOwner } from '#core/platform/process/worker-pool.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { findClassInReach, SchoolClass, teachersAndAdmins } from '#identity/people/index.ts';
import {
  type NoteProgress,
  type PreparedReport,
  type ReportJob,
  type ReportKind,
  ReportRefusal,
} from '#messaging/documents/index.ts';
import { reportStopped } from '../alerts.ts';
import { type FamilyFacts, familyFacts, rulesAt } from '../facts/family-facts.ts';
import { dateInWords, letterContent } from '../letter/content.ts';
import { letterPart, printLetters } from '../letter/paper.ts';
import { renderForFamily, UnsafeSentence } from '../render-for-family.ts';
import type { FamilyRules } from '../rules.ts';
import { studentsOfClass, timeZoneOf } from './class-list.ts';

export const parentLetters = {
  discloses: 'class_letters',
  kind: 'parent_letters',
  askedOnce: 'while_open',
  keepDays: 7,
  mostBytes: 3_000_000,
  prepare,
  async requireReach({ trx, actor }, { organizationId, subject }) {
    const ofClass = SchoolClass.query(trx)
      .where({ organizationId, id: Number(subject) })
      .select('id')
      .toKnexQuery();
    await findClassInReach({ trx, actor }, ofClass, teachersAndAdmins);
  },
} as const satisfies ReportKind;

async function prepare(services: Services, trx: Trx, job: ReportJob): Promise<PreparedReport> {
  const { organizationId } = job;
  const classKey = { organizationId, classId: Number(job.subject) };
  const now = services.clock.now();
  const rules = await rulesAt({ services, trx, now });
  renderForFamily(rules.bundle);
  const timeZone = await timeZoneOf(trx, classKey);
  const studentIds = await studentsOfClass(trx, classKey);
  const children = await familyFacts({ services, trx, now }, rules, { organizationId, studentIds, timeZone });
  const localDay = localDate(now, timeZone);
  const dateAr = dateInWords(now, timeZone);
  return {
    contentType: 'application/pdf',
    fileName: `parent-letters-${localDay}.pdf`,
    studentIds: children.map(({ studentId }) => studentId),
    total: Math.max(children.length, 1),
    counts: { letters: children.length, needsMoreData: children.filter(({ isResolved }) => !isResolved).length },
    render: (note) => renderAll(services, { rules, children, dateAr, localDay, owner: jobOwner(job) }, note),
  };
}

interface Batch {
  readonly rules: FamilyRules;
  readonly children: readonly FamilyFacts[];
  readonly dateAr: string;
  readonly localDay: string;
  readonly owner: TaskOwner;
}

/** Throws ReportRefusal `language_unsafe` when one letter is refused: then none is delivered. */
async function renderAll(services: Services, batch: Batch, note: NoteProgress): Promise<Uint8Array> {
  const { rules, children, dateAr, localDay, owner } = batch;
  const rendererFor = renderForFamily(rules.bundle);
  try {
    const parts = [];
    for (const child of children) {
      parts.push(letterPart(letterContent(rules, rendererFor(child.fullNameAr), child, dateAr)));
      await note(parts.length);
    }
    return await printLetters(rules.growth.word('letter.title'), parts, localDay, owner);
  } catch (error) {
    if (!(error instanceof UnsafeSentence)) throw error;
    await reportStopped(services, { operation: 'startParentPdfBatch', versions: rules.bundle.versions }, error);
    throw new ReportRefusal('language_unsafe', error.message);
  }
}
