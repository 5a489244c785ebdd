// Reads the present recommendation about a student, with its reasons and what would make a decision possible.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { rtiSituationsOf } from '../situations/situations.ts';
import { adviceNow } from './advice.ts';
import { possibleQuestion } from './possible.ts';
import { adviceDecisions, traceOf } from './trace.ts';

interface Student {
  readonly id: number;
  readonly organizationId: string;
}

export async function readAdvice(services: Services, trx: Trx, { id, organizationId }: Student, now: Date) {
  const found = await rtiSituationsOf(trx, services, { organizationId, studentIds: [id], now });
  const situation = found.situations.get(id);
  if (!situation) throw notFound();
  const advised = adviceNow(found, situation);
  const { input, advice, shown } = advised;
  const question = await possibleQuestion(trx, organizationId, advised);
  const decisions = adviceDecisions(found.bundle, input, advice);
  return {
    ...shown,
    decisionPossible: found.rules.decisionPossible(question),
    ...traceOf(decisions),
    asOf: now.toISOString(),
  };
}
