// Explains a stored result to the backoffice. The result is read in the context of its organization, whichever that is.
import Type from 'typebox';
import { type Disclosure, ok } from '#core/http/answers.ts';
import { object } from '#core/http/schemas.ts';
import type { Capability } from '#core/module/capability.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { readTransactionIn } from '#core/platform/db.ts';
import { explainedView, explainStamp } from './explainers.ts';

const stampParams = object({
  stampId: Type.String({
    maxLength: 133,
    pattern: '^[a-z][a-z-]{0,31}:[A-Za-z0-9._:-]{1,100}$',
    description:
      'Kind and id of the stored row: `skill:17`, `domain:4`, `tile:<runId>.FLUENCY`, `run:<runId>`, `rbm:8`, ' +
      '`subflag:<studentId>.<schoolYear>.<patternKey>`, `trend:3`, `notification:<id>`, `mastery:5`, ' +
      '`badge:6`.',
  }),
});

interface ExplainedSubject {
  readonly organizationId: string;
  /** Null for a notification about no student. */
  readonly studentId?: number | null;
  /** Of groups. */
  readonly classId?: number;
}

/** An explanation opens the records of one student or, of groups, of one class. */
function disclosedBy(explained: object): readonly Disclosure[] {
  const { organizationId, studentId, classId } = explained as ExplainedSubject;
  if (typeof studentId === 'number')
    return [{ document: 'student_explanation', id: String(studentId), organizationId }];
  return classId === undefined ? [] : [{ document: 'class_explanation', id: String(classId), organizationId }];
}

export const explainRoutes = (capabilities: readonly Capability[]) => [
  route({
    method: 'get',
    path: '/api/admin/explain/:stampId',
    operation: 'explainResult',
    heavy: true,
    summary: 'Why a stored result is what it is, down to the responses',
    tag: 'rules workbench',
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    discloses: ['student_explanation', 'class_explanation'],
    params: stampParams,
    answers: { 200: explainedView(capabilities) },
    prepare:
      async ({ services, params }) =>
      () =>
        explainStamp(readTransactionIn(services.db, 'SUPER'), services, params.stampId),
    run: async ({ prepared }) => ({ ...ok(prepared), discloses: disclosedBy(prepared) }),
  }),
];
