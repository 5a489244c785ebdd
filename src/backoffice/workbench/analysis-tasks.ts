// The worker's side of analysis-worker.ts: answers one question after the other, so that the process that serves requests stays free.
import { parentPort } from 'node:worker_threads';
import type { Capability } from '#core/module/capability.ts';
import { AppError } from '#core/platform/errors.ts';
import type { AnalysisReply, AnalysisTasks } from './analysis-worker.ts';
import { requireUsable } from './impact/simulated-texts.ts';
import { obstacleTo } from './live/evaluable.ts';
import { mergeTexts } from './rebase/merge-texts.ts';
import { compareTexts } from './validation/compare.ts';
import { checkTexts } from './validation/engine/check.ts';
import { type RuleUse, ruleUse } from './validation/rule-use.ts';
import { tryText } from './validation/try.ts';

type Tasks = { [Name in keyof AnalysisTasks]: AnalysisTasks[Name] };

const tasksOf = (use: RuleUse): Tasks => ({
  check: (question) => checkTexts(question, use),
  diff: ({ texts }) => compareTexts(texts, use.validators),
  rebase: (question) => mergeTexts(question, use.validators),
  try: (question) => tryText(question, use),
  simulate: (question) => requireUsable(question, use),
  evaluable: (question) => obstacleTo(question, use),
});

/** Characters of an answer: reading it must not hold up the process that asked. Answers about shipped tables are a hundredth of it. */
const longestAnswer = 4_000_000;

async function answer(tasks: Tasks, { name, question }: Asked): Promise<AnalysisReply> {
  try {
    const json = JSON.stringify(await tasks[name](question as never));
    return json.length > longestAnswer ? { failure: 'the answer is too long', isRange: true } : { json };
  } catch (error) {
    if (!(error instanceof AppError)) return { failure: String(error), isRange: error instanceof RangeError };
    const { code, message, details, retryAfter } = error;
    return { refusal: { code, message, ...(details && { details }), ...(retryAfter !== undefined && { retryAfter }) } };
  }
}

interface Asked {
  readonly name: keyof AnalysisTasks;
  readonly question: unknown;
}

/** Called once, by the worker's program. */
export function answerQuestions(capabilities: readonly Capability[]): void {
  const tasks = tasksOf(ruleUse(capabilities));
  parentPort?.on('message', async (asked: Asked) => {
    parentPort?.postMessage(await answer(tasks, asked));
  });
  parentPort?.postMessage({ ready: true } satisfies AnalysisReply);
}
