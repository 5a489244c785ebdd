// The scope of a change that the path names.
import Type from 'typebox';
import { Cuid, named, object } from '#core/http/schemas.ts';
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { FamilyName, KeyName } from '../schemas.ts';
import { type ChangeRow, findChange } from './store.ts';

export const changePath = '/api/admin/rule-changes/:changeId';
export const changeParams = object({ changeId: Cuid });
export const changeDocumentPath = `${changePath}/documents/:family/:key`;
export const changeDocumentParams = object({ changeId: Cuid, family: FamilyName, key: KeyName });
export const ConstantId = named('ConstantId', Type.String({ maxLength: 80, pattern: '^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$' }));
export const changeConstantParams = object({ changeId: Cuid, constantId: ConstantId });

export const changeInPath: AppScope<ChangeRow> = {
  reach: 'P',
  resolve: async ({ trx, params }) => {
    const row = await findChange(trx, params.changeId ?? '');
    if (!row) throw notFound();
    return { row };
  },
};
