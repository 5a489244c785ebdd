// What the workbench asks this capability when somebody wants to know why a stored result is what it is.

import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { isId, rowIdIn } from '../../platform/ids.ts';
import { explainDomain } from './explain-domain.ts';
import { explainRun, explainTile } from './explain-run.ts';
import { explainSkill } from './explain-skill.ts';
import { ExplainedResult } from './schemas.ts';

/** Kinds of stamp ids: `skill:<id>`, `domain:<id>`, `tile:<runId>.<tileCode>`, `run:<id>`. */
const explain = {
  skill: async (trx: Trx, services: Services, id: string) => {
    const number = rowIdIn(id);
    return number === undefined ? undefined : explainSkill(trx, services, number);
  },
  domain: async (trx: Trx, services: Services, id: string) => {
    const number = rowIdIn(id);
    return number === undefined ? undefined : explainDomain(trx, services, number);
  },
  tile: async (trx: Trx, services: Services, id: string) => {
    const [runId = '', tileCode = '', ...more] = id.split('.');
    return isId(runId) && more.length === 0 ? explainTile(trx, services, runId, tileCode) : undefined;
  },
  run: async (trx: Trx, services: Services, id: string) => (isId(id) ? explainRun(trx, services, id) : undefined),
};

export const skillStatusExplainer = {
  kinds: Object.keys(explain),
  view: ExplainedResult,
  /** Undefined for an unknown kind, and for an id that is malformed or out of sight. Writes nothing. */
  async explain(trx: Trx, services: Services, kind: string, id: string): Promise<ExplainedResult | undefined> {
    if (!Object.hasOwn(explain, kind)) return undefined;
    return explain[kind as keyof typeof explain](trx, services, id);
  },
};
