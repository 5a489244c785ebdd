// The explainers of behaviour logs and sub-flags for the workbench.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { rowIdIn } from '#core/platform/ids.ts';
import { explainBehaviour } from './explain-behaviour.ts';
import { explainSubFlag } from './explain-sub-flag.ts';
import { ExplainedBehaviour, ExplainedSubFlag } from './schemas.ts';

export const behaviourExplainer = {
  kinds: ['rbm'],
  view: ExplainedBehaviour,
  /** Explains `rbm:<id>`. Returns undefined for an id that is malformed or not visible. */
  async explain(
    reading: ReadTransaction,
    services: Services,
    _kind: string,
    id: string,
  ): Promise<ExplainedBehaviour | undefined> {
    const number = rowIdIn(id);
    return number === undefined ? undefined : explainBehaviour(reading, services, number);
  },
};

export const subFlagExplainer = {
  kinds: ['subflag'],
  view: ExplainedSubFlag,
  /**
   * Explains `subflag:<studentId>.<schoolYear>.<patternKey>`. Returns undefined for an id that is malformed or not
   * visible.
   */
  async explain(
    reading: ReadTransaction,
    services: Services,
    _kind: string,
    id: string,
  ): Promise<ExplainedSubFlag | undefined> {
    const [, student = '', schoolYear = '', patternKey = ''] = /^([0-9]+)\.([0-9]{4}-[0-9]{4})\.(.+)$/.exec(id) ?? [];
    const studentId = rowIdIn(student);
    return studentId === undefined
      ? undefined
      : explainSubFlag(reading, services, { studentId, schoolYear, patternKey });
  },
};
