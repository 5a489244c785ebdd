// Tries a change: one of its documents on given facts, or all of them on a child's newest run; before and after. Nothing is written.
import type { Disclosure } from '#core/http/answers.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, invalid, notFound } from '#core/platform/errors.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { findStudent } from '#identity/people/index.ts';
import { documentName, type FactValue, type RuleDocument } from '#rules/rulesets/index.ts';
import { runInWorker } from '../analysis-worker.ts';
import type { DocumentPlace } from '../changes/documents/edit.ts';
import { type ChangeRow, changeDocumentOf, documentsOf, nameOfDocument } from '../changes/store.ts';
import type { ImpactInput } from '../impact/input.ts';
import { oneStudentChunk, type StudentAnswers } from '../impact/steps/one-student.ts';
import { trialDocuments } from '../validation/try.ts';

export interface FactsQuestion extends DocumentPlace {
  readonly facts: Readonly<Record<string, FactValue | null>>;
}

/** `before` is null where no version is in force, or the one in force does not know these facts. */
async function factsTrial(
  services: Services,
  trx: Trx,
  change: ChangeRow,
  { facts, ...place }: FactsQuestion,
  now: Date,
) {
  const documents = await documentsOf(trx, [change.id]);
  const document = documents.find((one) => nameOfDocument(one) === nameOfDocument(place));
  if (!document) throw invalid('key', 'is no document of this change');
  const active = (await services.rules.at(trx, now)).rules.documents;
  const around = await trialDocuments(services, trx, place, now);
  const inForce = active.find((one) => documentName(one) === nameOfDocument(place));
  const changed = around.length === 0 ? [] : overlaidDocuments(around, documents);
  return async () => {
    const after = await runInWorker('try', { text: document.document, facts, around: changed });
    const before = inForce ? await answerOf(inForce, { facts, around }) : null;
    return { before, after };
  };
}

/** The texts of the change in the place of those in force. */
function overlaidDocuments(
  around: readonly RuleDocument[],
  documents: Parameters<typeof changeDocumentOf>[0][],
): readonly RuleDocument[] {
  const texts = documents.map(changeDocumentOf);
  const replaced = new Set(texts.map(documentName));
  return [...around.filter((one) => !replaced.has(documentName(one))), ...texts];
}

async function answerOf(
  document: RuleDocument,
  { facts, around }: Pick<Parameters<typeof runInWorker<'try'>>[1], 'facts' | 'around'>,
) {
  try {
    return await runInWorker('try', { text: JSON.stringify(document), facts, around });
  } catch (error) {
    if (error instanceof AppError && (error.code === 'VALIDATION_ERROR' || error.code === 'CONFLICT')) return null;
    throw error;
  }
}

/** The kind under which it is recorded who has read the answers of a child. */
export const trialDocument = 'student_trial';

interface Trial {
  readonly answer: { readonly before: object | null; readonly after: object };
  readonly discloses: readonly Disclosure[];
}

/** Throws NOT_FOUND for an unknown child, and for one without a run in this school year. */
export async function trialOf(
  services: Services,
  trx: Trx,
  change: ChangeRow,
  question: FactsQuestion | { readonly studentId: number },
  now: Date,
): Promise<() => Promise<Trial>> {
  if ('studentId' in question) return studentTrial(services, trx, change, question.studentId, now);
  const answer = await factsTrial(services, trx, change, question, now);
  return async () => ({ answer: await answer(), discloses: [] });
}

async function studentTrial(
  services: Services,
  trx: Trx,
  change: ChangeRow,
  studentId: number,
  now: Date,
): Promise<() => Promise<Trial>> {
  const { row: student } = await findStudent(trx, studentId);
  const documents = await documentsOf(trx, [change.id]);
  const { rules } = await services.rules.at(trx, now);
  const texts = documents.map(({ document }) => document);
  const input: ImpactInput = {
    ...{ changeId: change.id, changeSha256: change.sha256, documents: [], texts },
    ...{ scope: { platform: true }, asOf: now.toISOString(), before: rules.versions },
  };
  const { organizationId, timeZone } = student;
  const question = {
    rulesId: canonicalHash({ texts, before: rules.versions }),
    organizationId,
    input,
    studentId,
    timeZone,
  };
  return async () => {
    const asked = documents.map((one) => ({ name: nameOfDocument(one), text: one.document }));
    await runInWorker('simulate', { texts: asked, documents: rules.documents });
    const answers = (await services.chunkThreads.run(oneStudentChunk.name, question)) as StudentAnswers | null;
    if (!answers) throw notFound();
    const disclosure = { document: trialDocument, id: String(studentId), organizationId };
    return {
      answer: { before: { layers: answers.before }, after: { layers: answers.after } },
      discloses: [disclosure],
    };
  };
}
