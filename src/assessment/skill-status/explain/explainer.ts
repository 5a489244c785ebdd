// The explainer of pipeline results for the workbench.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { isId, rowIdIn } from '#core/platform/ids.ts';
import { explainDomain } from './explain-domain.ts';
import { explainRun, explainTile } from './explain-run.ts';
import { explainSkill } from './explain-skill.ts';
import { ExplainedResult } from './schemas.ts';

/** Kinds of stamp ids: `skill:<id>`, `domain:<id>`, `tile:<runId>.<tileCode>`, `run:<id>`. */
const explain = {
  skill: async (reading: ReadTransaction, services: Services, id: string) => {
    const number = rowIdIn(id);
    return number === undefined ? undefined : explainSkill(reading, services, number);
  },
  domain: async (reading: ReadTransaction, services: Services, id: string) => {
    const number = rowIdIn(id);
    return number === undefined ? undefined : explainDomain(reading, services, number);
  },
  tile: async (reading: ReadTransaction, services: Services, id: string) => {
    const [runId = '', tileCode = '', ...more] = id.split('.');
    return isId(runId) && more.length === 0 ? explainTile(reading, services, runId, tileCode) : undefined;
  },
  run: async (reading: ReadTransaction, services: Services, id: string) =>
    isId(id) ? explainRun(reading, services, id) : undefined,
};

export const skillStatusExplainer = {
  kinds: Object.keys(explain),
  view: ExplainedResult,
  /** Returns undefined for an unknown kind and for an id that is malformed or not visible. */
  async explain(
    reading: ReadTransaction,
    services: Services,
    kind: string,
    id: string,
  ): Promise<ExplainedResult | undefined> {
    if (!Object.hasOwn(explain, kind)) return undefined;
    return explain[kind as keyof typeof explain](reading, services, id);
  },
};
