// A simulated child takes one part of the diagnostic, through the same functions as a real one.

import type { Services } from '../kernel/services.ts';
import { answered, finishDiagnostic, startDiagnostic, storeSitting, turnOf } from '../measurement/index.ts';
import type { Trx } from '../platform/db.ts';
import { type Answer, type Child, sitting } from './engine/child.ts';
import type { Visit } from './engine/visits.ts';

export interface Sitting {
  readonly studentId: number;
  readonly grade: number;
  readonly child: Child;
  readonly visit: Visit;
}

/** From an answer to the next item on the screen, and from that to the moment the child looks at it. */
const turnMs = 600;

/** From start to finish; `services` stand in the past. */
export async function takeDiagnostic(services: Services, trx: Trx, input: Sitting): Promise<void> {
  const { studentId, grade, child, visit } = input;
  const formCode = `DIAG-G${grade}-P${visit.part}`;
  let atMs = visit.startsAt.getTime();
  const started = await startDiagnostic(services, trx, studentId, formCode, visit.startsAt);
  const domains = new Map(started.rules.catalogue.subSkills.map(({ code, domain }) => [code, domain]));
  const answerOf = sitting(child, `${visit.part}.${visit.practised}`, visit.practised);
  let { open, item } = turnOf(started, new Date(atMs));
  while (item) {
    const answer = answerOf(item, domains.get(item.subSkillCode) ?? '');
    atMs += turnMs + answer.latencyMs;
    open = answered(open, choiceOf(answer), new Date(atMs));
    atMs += turnMs;
    ({ open, item } = turnOf(open, new Date(atMs)));
  }
  await storeSitting(trx, open);
  await finishDiagnostic(services, trx, open.session.id, new Date(atMs));
}

const choiceOf = ({ selectedOptionIndex, latencyMs, optionChanges }: Answer) => {
  const choice = selectedOptionIndex === null ? { skipped: true as const } : { selectedOptionIndex };
  return { latencyMs, optionChanges, ...choice };
};
