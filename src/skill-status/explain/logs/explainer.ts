// What the workbench asks this capability about the stored results beside the pipeline.

import type { Services } from '../../../kernel/services.ts';
import type { Trx } from '../../../platform/db.ts';
import { rowIdIn } from '../../../platform/ids.ts';
import { explainBehaviour } from './explain-behaviour.ts';
import { explainSubFlag } from './explain-sub-flag.ts';
import { ExplainedBehaviour, ExplainedSubFlag } from './schemas.ts';

export const behaviourExplainer = {
  kinds: ['rbm'],
  view: ExplainedBehaviour,
  /** `rbm:<id>`. Undefined for an id that is malformed or out of sight. Writes nothing. */
  async explain(trx: Trx, services: Services, _kind: string, id: string): Promise<ExplainedBehaviour | undefined> {
    const number = rowIdIn(id);
    return number === undefined ? undefined : explainBehaviour(trx, services, number);
  },
};

export const subFlagExplainer = {
  kinds: ['subflag'],
  view: ExplainedSubFlag,
  /** `subflag:<studentId>.<schoolYear>.<patternKey>`. Undefined as above. */
  async explain(trx: Trx, services: Services, _kind: string, id: string): Promise<ExplainedSubFlag | undefined> {
    const [, student = '', schoolYear = '', patternKey = ''] = /^([0-9]+)\.([0-9]{4}-[0-9]{4})\.(.+)$/.exec(id) ?? [];
    const studentId = rowIdIn(student);
    return studentId === undefined ? undefined : explainSubFlag(trx, services, { studentId, schoolYear, patternKey });
  },
};
