// Routes of the letter to a family, as HTML and PDF.
import Type from 'typebox';
import type { Disclosure } from '#core/http/answers.ts';
import type { Actor } from '#core/http/route.ts';
import { Empty, named } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { requestOwner } from '#core/platform/pdf/printer.ts';
import { withTimeout } from '#core/platform/process/with-timeout.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { noStore } from '../portal/routes.ts';
import { childParams } from '../portal/schemas.ts';
import { childOfLetter, studentOfLetter } from '../portal/scopes.ts';
import { letterPage } from './html.ts';
import { letterPart, printLetters } from './paper.ts';
import { prepareLetter } from './prepare-letter.ts';

/** A family that reads the letter of its own child leaves no disclosure entry. */
const readOf = ({ organizationId, id }: StudentInScope, { persona }: Pick<Actor, 'persona'>): Disclosure[] =>
  persona === 'PARENT' ? [] : [{ document: 'letter', id: String(id), organizationId }];

/** Time limit of rendering (contract 70 §1). */
const waitMs = 5_000;

const LetterPage = named(
  'ParentLetterPage',
  Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'text/html' }),
);
const LetterPdf = named(
  'ParentLetter',
  Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/pdf' }),
);

const shared = {
  tag: 'parents',
  demo: 'read',
  params: childParams,
  errors: ['ENGINE_UNAVAILABLE'],
  discloses: ['letter'],
} as const;

export const letterRoutes = [
  route({
    ...shared,
    method: 'get',
    path: '/api/parent/children/:childId/letter',
    operation: 'readParentLetter',
    heavy: true,
    summary: 'The letter to a family as a page to read, with the sentences of the printed one',
    allow: ['VIEW_OWN_CHILDREN', 'VIEW_PARENT_REPORTS', 'RUN_BACKOFFICE', 'VIEW_OWN_CLASSES'],
    scope: childOfLetter,
    answers: { 200: LetterPage },
    prepare: async (ctx) => {
      const render = await prepareLetter(ctx, 'readParentLetter');
      return async () => Buffer.from(letterPage((await render()).content));
    },
    run: async ({ prepared, scope, actor }) => ({
      status: 200 as const,
      body: prepared,
      discloses: readOf(scope, actor),
      headers: { ...noStore, 'content-type': 'text/html; charset=utf-8' },
    }),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/api/parent/pdf/:childId',
    operation: 'renderParentPdf',
    heavy: true,
    summary: 'The letter to a family on paper (PDF, A4)',
    allow: ['VIEW_OWN_CLASSES'],
    scope: studentOfLetter,
    readOnly: true,
    body: Empty,
    answers: { 200: LetterPdf },
    prepare: async (ctx) => {
      const render = await prepareLetter(ctx, 'renderParentPdf');
      return async () => {
        const { content, localDay } = await render();
        const printed = printLetters(content.titleAr, [letterPart(content)], localDay, requestOwner(ctx.actor));
        return withTimeout(waitMs, printed);
      };
    },
    run: async ({ prepared, scope, actor }) => ({
      status: 200 as const,
      body: prepared,
      discloses: readOf(scope, actor),
      headers: {
        ...noStore,
        'content-type': 'application/pdf',
        'content-disposition': 'inline; filename="parent-letter.pdf"',
      },
    }),
  }),
];
