// Value contracts of the engine's layers: every value that one table outputs must be known to the next.
import type { ValueContract } from '#rules/rulesets/engine/index.ts';
import {
  baseTileValues,
  compPatterns,
  conflictWinners,
  escalationPaths,
  haltActions,
  modifiers,
  responseCodes,
  routingHints,
  skillStatuses,
} from './vocabulary.ts';

export const skillStatusContracts: readonly ValueContract[] = [
  {
    from: 'adr/adr',
    param: 'outcome',
    reader: 'response codes',
    accepts: responseCodes,
  },
  { from: 'adr/adr', param: 'weight', reader: 'evidence units', accepts: { min: 0, max: 1 } },
  { from: 'adr/adr', param: 'deficit', reader: 'evidence units', accepts: { min: 0, max: 1 } },
  { from: 'cis/cis', param: 'outcome', to: 'pac/pac', fact: 'conflictState' },
  {
    from: 'cis/cis',
    param: 'winner',
    reader: 'okSideWins of BND',
    accepts: conflictWinners,
  },
  // BND is not asked without items.
  { from: 'bnd/bnd', param: 'outcome', to: 'pac/pac', fact: 'deficitBand', also: ['unknown'] },
  { from: 'pac/pac', param: 'outcome', to: 'ssr/ssr', fact: 'pacDecision' },
  { from: 'pac/pac', param: 'reason', to: 'ssr/ssr', fact: 'pacReason' },
  {
    from: 'pac/pac',
    param: 'action',
    optional: true,
    reader: 'next data action',
    accepts: haltActions,
  },
  {
    from: 'ssr/ssr',
    param: 'outcome',
    except: ['do_not_decide_yet'],
    reader: 'facts of DDR',
    accepts: skillStatuses,
  },
  {
    from: 'ssr/ssr',
    param: 'modifiers',
    optional: true,
    reader: 'modifiers',
    accepts: modifiers,
  },
  // A domain without a status has no tile.
  { from: 'ddr/ddr', param: 'outcome', except: ['undecided'], to: 'dsm/dsm', fact: 'domainStatus' },
  { from: 'ddr/ddr', param: 'outcome', except: ['undecided'], to: 'esc/esc', fact: 'domainStatus' },
  { from: 'ddr/ddr', param: 'outcome', except: ['undecided'], reader: 'facts of DDR-LC', accepts: skillStatuses },
  {
    from: 'ddr-lc/ddr-lc',
    param: 'outcome',
    reader: 'comprehension pattern',
    accepts: compPatterns,
  },
  {
    from: 'ddr-lc/ddr-lc',
    param: 'compRoutingHint',
    reader: 'routing hint',
    accepts: routingHints,
  },
  {
    from: 'dsm/dsm',
    param: 'outcome',
    reader: 'tile value',
    accepts: baseTileValues,
  },
  { from: 'esc/esc', param: 'outcome', reader: 'tile value', accepts: ['Severe'] },
  { from: 'esc/esc', param: 'path', reader: 'severe path', accepts: escalationPaths },
];
