// Asks for the impact of a draft: what can be known at once is refused at once, the rest is a job.
import type { Trx } from '../../platform/db.ts';
import { conflict } from '../../platform/errors.ts';
import {
  documentName,
  parseRuleDocument,
  type RuleBundle,
  type RuleDocument,
  RuleDocumentError,
} from '../../rulesets/index.ts';
import type { Services } from '../../services.ts';
import { isEngineDocument, rehearsal } from '../../skill-status/index.ts';
import { type Companion, companionsOf } from '../companions.ts';
import { admitOrder, orderJobs } from '../jobs/store.ts';
import type { ImpactInput, ImpactScope } from './input.ts';
import { organizationOfScope } from './students.ts';
import { trialFrom } from './trial.ts';

/** The part of a draft that a rehearsal needs. */
export interface RehearsedDraft {
  readonly id: string;
  readonly family: string;
  readonly key: string;
  readonly state: string;
  readonly document: string;
  readonly sha256: string;
}

export interface ImpactOrder {
  readonly draft: RehearsedDraft;
  readonly scope: ImpactScope;
  /** Default: now. */
  readonly asOf?: string | undefined;
  readonly requestedBy: number;
}

const openStates = ['draft', 'validated', 'in_review'];

/**
 * Answers the job's id. Throws NOT_FOUND for an unknown scope; CONFLICT `nothing_to_rehearse`, `not_open`, `not_usable`
 * or `constants_disagree`.
 */
export async function startImpact(trx: Trx, services: Services, order: ImpactOrder, now: Date): Promise<string> {
  const { draft, scope, asOf = now.toISOString(), requestedBy } = order;
  const organizationId = await organizationOfScope(trx, scope);
  if (!isEngineDocument(`${draft.family}/${draft.key}`)) {
    throw conflict('nothing_to_rehearse', 'These rules change no stored result: there is nothing to rehearse.');
  }
  if (!openStates.includes(draft.state)) throw conflict('not_open', 'Only an open draft can be rehearsed.');
  const document = readable(draft);
  const { rules } = await services.rules.at(trx, now);
  const companions = await companionsOf(trx, rules.documents, [document]);
  const input: ImpactInput = {
    ...{ draftId: draft.id, sha256: draft.sha256, scope, asOf, before: rules.versions },
    texts: [draft.document, ...companions.map(({ text }) => text)],
    companions: companions.map(({ name }) => name),
  };
  assertUsable(rules, input, companions);
  await admitOrder(trx);
  const [jobId = ''] = await orderJobs(trx, now, [
    { kind: 'impact', organizationId, subject: draft.id, input, requestedBy },
  ]);
  return jobId;
}

function readable({ document: text, family, key }: RehearsedDraft): RuleDocument {
  try {
    const document = parseRuleDocument(text);
    if (documentName(document) === `${family}/${key}`) return document;
  } catch (error) {
    if (!(error instanceof RuleDocumentError)) throw error;
  }
  throw notUsable();
}

function assertUsable(bundle: RuleBundle, { texts }: ImpactInput, companions: readonly Companion[]): void {
  try {
    trialFrom(bundle, texts);
  } catch (error) {
    throw rehearsal.isUnfit(error) ? notUsable(companions) : error;
  }
}

const notUsable = (companions: readonly Companion[] = []) =>
  conflict(
    'not_usable',
    companions.length === 0
      ? 'The engine cannot work with this draft. Validate it to see why.'
      : 'The engine cannot work with this draft and the documents that go with it. Validate them to see why.',
  );
