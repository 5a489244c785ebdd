// What the workbench asks this capability about the stored results beside the pipeline.

import type { Services } from '#core/module/services.ts';
import type { Reading } from '#core/platform/db.ts';
import { rowIdIn } from '#core/platform/ids.ts';
import { explainBehaviour } from './explain-behaviour.ts';
import { explainSubFlag } from './explain-sub-flag.ts';
import { ExplainedBehaviour, ExplainedSubFlag } from './schemas.ts';

export const behaviourExplainer = {
  kinds: ['rbm'],
  view: ExplainedBehaviour,
  /** `rbm:<id>`. Undefined for an id that is malformed or out of sight. */
  async explain(
    reading: Reading,
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
  /** `subflag:<studentId>.<schoolYear>.<patternKey>`. Undefined as above. */
  async explain(
    reading: Reading,
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
