// The texts of blueprints for the proof of texts: titles, which children see, and teachers' scripts.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { StoredTexts } from '#rules/language/index.ts';
import { scriptTier, titleTier } from './engine/texts.ts';

interface TextRow {
  /** Id of one of the blueprints with the text. */
  readonly id: string;
  readonly text: string;
  readonly isTitle: boolean;
}

/** Reads each text once, because blueprints of several bundles share scripts. */
const read = (trx: Trx): Promise<TextRow[]> =>
  rowsOf<TextRow>(
    trx,
    `select min(id) as id, text, is_title from (
       select blueprint_code || '/titleAr' as id, title_ar as text, true as is_title
         from session_blueprint where state = 'active'
       union all
       select blueprint_code || '/segments/' || (segment ->> 'segmentNo'), segment ->> 'scriptAr', false
         from session_blueprint, jsonb_array_elements(segments) segment where state = 'active') texts
     group by text, is_title order by 1`,
    {},
  );

export const blueprintTexts: StoredTexts<TextRow> = {
  name: 'session-blueprints',
  read,
  served: (rows) => () =>
    rows.map(({ id, text, isTitle }) => ({
      id: `session-blueprints/${id}`,
      tiers: [isTitle ? titleTier : scriptTier],
      // The text is a variable, so that braces in it are not interpreted.
      template: '{{text}}',
      variables: { text: [text] },
    })),
  checkedBy: ['language/student', 'language/staff'],
};
