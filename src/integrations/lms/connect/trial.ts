// Tries a connection step by step, and describes the result for the person who sets it up.
import type { Services } from '#core/module/services.ts';
import { AppError } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type Samples, samplesOf } from '../csv/samples.ts';
import type { ParsedSet } from '../csv/set/parse.ts';
import { fullName } from '../engine/normal.ts';
import { personOf } from '../providers/oneroster/rows.ts';
import { type RestStep, type TrialFailure, tryConnection } from '../providers/oneroster/try-connection.ts';
import { newSpan } from '../values/dates.ts';
import { restInputOf } from './rest.ts';
import type { RestTokenBody } from './token-body.ts';

const restSteps: readonly RestStep[] = ['address', 'certificate', 'token', 'scope', 'page'];

export interface TrialStep {
  readonly step: RestStep | 'csv';
  readonly ok: boolean;
  /** Null when the step has succeeded. */
  readonly issue: string | null;
}

export interface ConnectionTrial {
  /** The steps up to the one that failed. */
  readonly steps: readonly TrialStep[];
  readonly samples: Samples;
}

const noSamples = { courses: [], people: [] } as const;
const passed = (step: TrialStep['step']): TrialStep => ({ step, ok: true, issue: null });

const words: Readonly<Record<TrialFailure['issue'], (field: string) => string>> = {
  address_not_allowed: (field) => `${field} must be an https address that leads to a public address of the network`,
  certificate_not_trusted: (field) => `the certificate of the server of ${field} is not trusted`,
  refused_by_provider: (field) => `the service refuses; look at ${field}`,
  no_oneroster: (field) => `there is no OneRoster service at ${field}`,
  down: (field) => `the server of ${field} does not answer at the moment`,
};

/** The caller holds no transaction. Nothing is stored. */
export async function tryRest(
  { lmsClient, clock }: Pick<Services, 'lmsClient' | 'clock'>,
  body: RestTokenBody,
): Promise<ConnectionTrial> {
  const today = localDate(clock.now(), 'UTC');
  const tried = await tryConnection(lmsClient, restInputOf(body), { thorough: true });
  if ('failure' in tried) {
    const { step, field, issue, seen } = tried.failure;
    const before = restSteps.slice(0, restSteps.indexOf(step)).map(passed);
    const issueText = words[issue](field);
    return {
      steps: [...before, { step, ok: false, issue: seen === undefined ? issueText : `${issueText}; seen: ${seen}` }],
      samples: noSamples,
    };
  }
  const courses = tried.done.courses.map(({ active: _, ...course }) => course);
  const span = newSpan();
  const read = tried.done.users.map((row) => personOf(row, span, today));
  const people = read
    .map((row) => row.settled())
    .flatMap((row) => {
      if (row.kind !== 'person') return [];
      const { externalId, names, email, active } = row;
      const fullNameAr = fullName(names);
      return fullNameAr === null ? [] : [{ externalId, fullNameAr, email, active }];
    });
  return { steps: restSteps.map(passed), samples: { courses, people } };
}

/** `read` throws VALIDATION_ERROR with the faults of the files; the result has the first of them. */
export async function tryFiles(read: () => Promise<ParsedSet>): Promise<ConnectionTrial> {
  try {
    return { steps: [passed('csv')], samples: samplesOf(await read()) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
    const [first] = error.details ?? [];
    const issue = first ? `${first.field}: ${first.issue}` : error.message;
    return { steps: [{ step: 'csv', ok: false, issue }], samples: noSamples };
  }
}
