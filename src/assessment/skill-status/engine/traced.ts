// The traced pipeline, which records every question to a decision table with its answer.

import {
  type Observe,
  oncePerBundle,
  pinBundle,
  type RuleBundle,
  type TracedCall,
} from '#rules/rulesets/engine/index.ts';
import type { EvaluationInput, ResponseFacts } from '../../measurement/engine/index.ts';
import { compilePipeline, evaluateStudent, type Pipeline, type StudentEvaluation } from './evaluate.ts';
import type { Coding } from './evidence/coding.ts';

export type { TracedCall };

export interface TracedEvaluation {
  readonly evaluation: StudentEvaluation;
  /** ADR, by index of the input's responses. */
  readonly ofResponse: readonly (readonly TracedCall[])[];
  /**
   * By code of evaluated sub-skills: CIS (when two sides conflict; CIS-01 needs no question), BND (when there is a
   * rate), PAC, SSR, in this order.
   */
  readonly ofSubSkill: ReadonlyMap<string, readonly TracedCall[]>;
  /** By domain code, all domains: DDR, then DSM when the domain is decided, and ESC when its tile is Below. */
  readonly ofDomain: ReadonlyMap<string, readonly TracedCall[]>;
  /** DDR-LC, when comprehension is weak or doubtful. */
  readonly ofComprehension: readonly TracedCall[];
}

/** Throws what `compilePipeline` and `evaluateStudent` throw. Rules are compiled once per bundle. */
export function traceEvaluation(input: EvaluationInput, bundle: RuleBundle): TracedEvaluation {
  const { recorder, pipeline } = tracedPipelineOf(bundle);
  recorder.notes = emptyNotes();
  const evaluation = evaluateStudent(input, pipeline);
  const { ofResponse, ofDomain, ofComprehension } = recorder.notes;
  return { evaluation, ofResponse, ofSubSkill: evaluatedOnly(recorder.notes, evaluation), ofDomain, ofComprehension };
}

interface Notes {
  readonly ofResponse: (readonly TracedCall[])[];
  readonly ofSubSkill: Map<string, readonly TracedCall[]>;
  readonly ofDomain: Map<string, readonly TracedCall[]>;
  ofComprehension: readonly TracedCall[];
}

const emptyNotes = (): Notes => ({
  ofResponse: [],
  ofSubSkill: new Map(),
  ofDomain: new Map(),
  ofComprehension: [],
});

/** The current record. An evaluation runs to its end before the next one begins. */
interface Recorder {
  notes: Notes;
  calls: TracedCall[];
}

interface TracedPipeline {
  readonly recorder: Recorder;
  readonly pipeline: Pipeline;
}

const tracedPipelineOf = oncePerBundle((bundle): TracedPipeline => {
  const recorder: Recorder = { notes: emptyNotes(), calls: [] };
  /** An existing observer of the bundle determines the hits. */
  const observe: Observe = (table, facts, hits) => {
    const answer = bundle.table(table.name).observe?.(table, facts, hits) ?? hits;
    recorder.calls.push({ table, facts, hits: answer });
    return answer;
  };
  return { recorder, pipeline: recorded(compilePipeline(pinBundle(bundle.documents, observe)), recorder) };
});

/** Returns the pipeline with layers that record their questions under their subjects. */
function recorded(pipeline: Pipeline, recorder: Recorder): Pipeline {
  const { confirm, statusOf, domainOf, comprehensionOf } = pipeline;
  const addToSubSkill = (code: string, asked: readonly TracedCall[]) => {
    const { ofSubSkill } = recorder.notes;
    ofSubSkill.set(code, [...(ofSubSkill.get(code) ?? []), ...asked]);
  };
  return {
    ...pipeline,
    coding: recordedCoding(pipeline.coding, recorder),
    confirm: (evidence) => {
      const { answer, asked } = during(recorder, () => confirm(evidence));
      addToSubSkill(evidence.subSkill.code, asked);
      return answer;
    },
    statusOf: (confirmation, context) => {
      const { answer, asked } = during(recorder, () => statusOf(confirmation, context));
      addToSubSkill(answer.subSkill.code, asked);
      return answer;
    },
    domainOf: (domain, inScope) => {
      const { answer, asked } = during(recorder, () => domainOf(domain, inScope));
      recorder.notes.ofDomain.set(domain.code, asked);
      return answer;
    },
    comprehensionOf: (domains) => {
      const { answer, asked } = during(recorder, () => comprehensionOf(domains));
      recorder.notes.ofComprehension = asked;
      return answer;
    },
  };
}

function during<Answer>(recorder: Recorder, work: () => Answer) {
  recorder.calls = [];
  const answer = work();
  return { answer, asked: recorder.calls };
}

/** The coding caches the answer for each set of facts; the record does too. */
function recordedCoding(coding: Coding, recorder: Recorder): Coding {
  const known = new Map<string, readonly TracedCall[]>();
  return (response, sessionAnalysable) => {
    const { answer, asked } = during(recorder, () => coding(response, sessionAnalysable));
    const key = keyOf(response, response.analysable && sessionAnalysable);
    if (asked.length > 0) known.set(key, asked);
    recorder.notes.ofResponse.push(known.get(key) ?? []);
    return answer;
  };
}

const keyOf = ({ answered, attempt, correct, support, speed, errorClass }: ResponseFacts, analysable: boolean) =>
  [analysable, answered, attempt, correct, support, speed, errorClass].join(' ');

/** Removes sub-skills beyond the grade that turned out not to be in scope. */
function evaluatedOnly({ ofSubSkill }: Notes, { subSkills }: StudentEvaluation): Map<string, readonly TracedCall[]> {
  const evaluated = subSkills.filter(({ outcome }) => outcome !== 'not_assessed');
  return new Map(evaluated.map(({ subSkill: { code } }) => [code, ofSubSkill.get(code) ?? []]));
}
