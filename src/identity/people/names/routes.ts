// Names for screens of the backoffice, which get ids from other operations.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { Cuid, IntegerId, named, object } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { namesOf } from './queries.ts';

/** Ids of one kind in one request. */
const most = 100;
const IntegerIdList = named(
  'IntegerIdList',
  Type.String({
    maxLength: 17 * most,
    pattern: `^[1-9][0-9]{0,15}(?:,[1-9][0-9]{0,15}){0,${most - 1}}$`,
    description: 'Ids, separated by commas.',
  }),
);
const CuidList = named(
  'CuidList',
  Type.String({
    maxLength: 25 * most,
    pattern: `^[a-z][a-z0-9]{23}(?:,[a-z][a-z0-9]{23}){0,${most - 1}}$`,
    description: 'Ids, separated by commas.',
  }),
);

const NamedInteger = object({ id: IntegerId, name: Type.String() });
const NamedCuid = object({ id: Cuid, name: Type.String() });

export const nameRoutes = [
  route({
    method: 'get',
    path: '/api/admin/names',
    operation: 'listNames',
    summary: 'Names of people, schools, classes and organizations by their ids; unknown and erased ones are left out',
    tag: 'identity',
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    query: object({
      users: Type.Optional(IntegerIdList),
      schools: Type.Optional(CuidList),
      classes: Type.Optional(IntegerIdList),
      organizations: Type.Optional(CuidList),
    }),
    answers: {
      200: object({
        users: Type.Array(NamedInteger),
        schools: Type.Array(NamedCuid),
        classes: Type.Array(NamedInteger),
        organizations: Type.Array(NamedCuid),
      }),
    },
    run: async ({ trx, query: { users, schools, classes, organizations } }) =>
      ok(
        await namesOf(trx, {
          users: numbersIn(users),
          schools: idsIn(schools),
          classes: numbersIn(classes),
          organizations: idsIn(organizations),
        }),
      ),
  }),
];

const idsIn = (list = ''): string[] => list.split(',').filter((id) => id !== '');
/** Larger numbers are ids of nothing. */
const numbersIn = (list?: string): number[] => idsIn(list).map(Number).filter(Number.isSafeInteger);
