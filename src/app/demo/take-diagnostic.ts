// A simulated child takes one part of the diagnostic, through the same functions as a real child.

import {
  finishDiagnostic,
  nextStep,
  type OpenSession,
  scoreResponse,
  servedItem,
  startDiagnostic,
  stateOf,
  storeSitting,
} from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type ChildAnswer, type DemoChild, sitting } from './engine/child.ts';
import type { Visit } from './engine/visits.ts';

export interface DemoSitting {
  readonly studentId: number;
  readonly grade: number;
  readonly child: DemoChild;
  readonly visit: Visit;
}

/** Time from an answer to the next item, and from that until the child looks at it. */
const turnMs = 600;

/**
 * Takes the part from start to finish; the clock of `services` is fixed in the past. All rows are written at the end.
 */
export async function takeDiagnostic(services: Services, trx: Trx, input: DemoSitting, part: number): Promise<void> {
  const { studentId, grade, visit } = input;
  const started = await startDiagnostic(services, trx, studentId, `DIAG-G${grade}-P${part}`, visit.startsAt);
  const { open, endsAt } = answered(started, input, part);
  await storeSitting(trx, open);
  await finishDiagnostic(services, trx, open.session.id, endsAt);
}

interface Answered {
  readonly open: OpenSession;
  readonly endsAt: Date;
}

/** Returns the session after its last answer, without writing. */
function answered(started: OpenSession, { child, visit }: DemoSitting, part: number): Answered {
  const domains = new Map(started.rules.catalogue.subSkills.map(({ code, domain }) => [code, domain]));
  const answerOf = sitting(child, `${part}.${visit.practised}`, visit.practised);
  let open = started;
  let atMs = visit.startsAt.getTime();
  for (;;) {
    const step = nextStep(stateOf(open), open.rules);
    if (step.outcome === 'no_eligible_item') open = withClosed(open, step.subSkillCode);
    else if (step.outcome !== 'item_served') return { open, endsAt: new Date(atMs) };
    else {
      const served = servedItem(open, step, new Date(atMs));
      const answer = answerOf(step.item, domains.get(step.subSkillCode) ?? '');
      atMs += turnMs + answer.latencyMs;
      const response = scoreResponse(open, served, inputOf(answer), new Date(atMs));
      open = { ...open, served: [...open.served, served], responses: [...open.responses, response] };
      atMs += turnMs;
    }
  }
}

const inputOf = ({ selectedOptionIndex, latencyMs, optionChanges }: ChildAnswer) => ({
  ...{ latencyMs, optionChanges },
  ...(selectedOptionIndex !== null && { selectedOptionIndex }),
});

function withClosed(open: OpenSession, subSkillCode: string): OpenSession {
  const closedSubSkills = [...open.session.closedSubSkills, subSkillCode];
  return { ...open, session: open.session.$clone().$set({ closedSubSkills }) };
}
