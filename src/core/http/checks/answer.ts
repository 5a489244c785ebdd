// Checks every answer against the schema of its route: a presenter that returns a field which the schema does not name is a defect.
import type { Answer } from '../answers.ts';
import { EventStream } from '../event-stream.ts';
import type { Route } from '../route.ts';
import { checkJson, type SchemaCheck } from './validation.ts';

const withoutBody = 204;

export interface AnswerCheck {
  (answer: Answer): void;
  compile(): void;
}

const hasTag = ({ headers = {} }: Answer) => Object.keys(headers).some((name) => name.toLowerCase() === 'etag');

/** Returns the check of a route. It throws if the answer does not match: nothing is sent, and uncommitted work rolls back. */
export function answerCheckOf(route: Route): AnswerCheck {
  const checks = new Map(
    Object.entries(route.answers).map(([status, schema]): [number, SchemaCheck] => [
      Number(status),
      Number(status) === withoutBody ? () => [] : checkJson(schema),
    ]),
  );
  const checkAnswer = (answer: Answer): void => {
    const check = checks.get(answer.status);
    if (!check) throw new Error(`${route.operation} answered ${answer.status}, which it does not declare`);
    if (hasTag(answer) && route.method === 'get' && !checks.has(304)) {
      throw new Error(`${route.operation} answers with an ETag and does not declare 304`);
    }
    if (answer.body === undefined || answer.body instanceof Uint8Array || answer.body instanceof EventStream) return;
    const details = check(answer.body);
    if (details.length === 0) return;
    const wrong = details.map(({ field, issue }) => `${field} ${issue}`).join('; ');
    throw new Error(`${route.operation} answered outside its schema: ${wrong}`);
  };
  const compile = () => {
    for (const check of checks.values()) check.compile?.();
  };
  return Object.assign(checkAnswer, { compile });
}
