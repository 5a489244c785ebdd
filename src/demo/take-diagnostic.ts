// A simulated child takes one part of the diagnostic, through the same functions as a real one.

import type { Item, ServedItem } from '../content/index.ts';
import type { Services } from '../kernel/services.ts';
import {
  acceptResponse,
  DiagnosticServedItem,
  finishDiagnostic,
  lockOpen,
  type OpenSession,
  serveNext,
  startDiagnostic,
} from '../measurement/index.ts';
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
export async function takeDiagnostic(services: Services, trx: Trx, input: Sitting, part: number): Promise<void> {
  const { studentId, grade, child, visit } = input;
  const formCode = `DIAG-G${grade}-P${part}`;
  let atMs = visit.startsAt.getTime();
  let open: OpenSession = await startDiagnostic(services, trx, studentId, formCode, visit.startsAt);
  const domains = new Map(open.rules.catalogue.subSkills.map(({ code, domain }) => [code, domain]));
  const answerOf = sitting(child, `${part}.${visit.practised}`, visit.practised);
  for (;;) {
    const { outcome, served } = await serveNext(trx, open, new Date(atMs));
    if (outcome === 'no_eligible_item') open = await lockOpen(services, trx, open.session.id, new Date(atMs));
    else if (!served) break;
    else {
      const item = itemOf(open, served);
      const answer = answerOf(item, domains.get(item.subSkillCode) ?? '');
      const servedAt = new Date(atMs);
      atMs += turnMs + answer.latencyMs;
      open = await respond(trx, open, { item, served, servedAt, answer }, new Date(atMs));
      atMs += turnMs;
    }
  }
  await finishDiagnostic(services, trx, open.session.id, new Date(atMs));
}

function itemOf({ rules }: OpenSession, { itemId }: ServedItem): Item {
  const item = rules.bank.find(itemId);
  if (!item) throw new Error(`the bank has no item ${itemId}`);
  return item;
}

interface Turn {
  readonly item: Item;
  readonly served: ServedItem;
  readonly servedAt: Date;
  readonly answer: Answer;
}

/** Answers the session after the response, so that its rows need not be read again for every item. */
async function respond(trx: Trx, open: OpenSession, turn: Turn, now: Date): Promise<OpenSession> {
  const { selectedOptionIndex, latencyMs, optionChanges } = turn.answer;
  const { servedItemId } = turn.served;
  const withItem = { ...open, served: [...open.served, servedRow(turn)] };
  const choice = selectedOptionIndex === null ? { skipped: true as const } : { selectedOptionIndex };
  const { responses } = await acceptResponse(trx, withItem, { servedItemId, latencyMs, optionChanges, ...choice }, now);
  const activeMsUsed = open.session.activeMsUsed + (responses.at(-1)?.latencyMs ?? 0);
  return { ...withItem, session: open.session.$clone().$set({ activeMsUsed }), responses };
}

/** What a session reads of the row that serving has just written. */
const servedRow = ({ item, served, servedAt }: Turn): DiagnosticServedItem =>
  DiagnosticServedItem.fromJson({
    id: served.servedItemId,
    seq: served.seq,
    itemId: item.id,
    subSkillCode: item.subSkillCode,
    difficultyLogit: item.difficulty,
    servedAt: servedAt.toISOString(),
  });
