// How the layers of the skill-status engine hand words to each other. Code carries them; this says what it carries, so
// that a new word in one table is refused until everything that reads it knows it.
import type { DocumentName } from '../document.ts';

interface Source {
  readonly from: DocumentName;
  /** `outcome` or another parameter of the event. */
  readonly param: string;
  /** Whether a rule may leave the parameter out. */
  readonly optional?: boolean;
  /** Words that code keeps back: they are read by nobody further on. */
  readonly except?: readonly string[];
}

/** Feeds a fact of another table; `also` are words that code puts in place of an answer that is not there. */
export interface TableWire extends Source {
  readonly to: DocumentName;
  readonly fact: string;
  readonly also?: readonly string[];
}

/** Read by code that counts, weighs or shows: it knows these words, or numbers of this range. */
export interface ReaderWire extends Source {
  readonly reader: string;
  readonly accepts: readonly string[] | { readonly min: number; readonly max: number };
}

export type Wire = TableWire | ReaderWire;

const statuses = [
  'broad_weakness_related',
  'weak_gateway',
  'weak_domain_related',
  'weak_isolated',
  'monitor_gateway',
  'monitor',
  'adequate',
  'cautionary_weakness_with_metadata',
  'contextual_review',
];

export const skillStatusWires: readonly Wire[] = [
  {
    from: 'adr/adr',
    param: 'outcome',
    reader: 'response codes',
    accepts: [
      'VOID_NOT_ANALYSABLE',
      'NO_RESPONSE',
      'REPEAT_NOT_COUNTED',
      'CORRECT_WITH_SUPPORT',
      'CORRECT_SLOW',
      'CORRECT_SECURE',
      'ERROR_DESPITE_SUPPORT',
      'ERROR_PREREQUISITE',
      'ERROR_TARGET_PATTERN',
      'ERROR_ACCURACY_MARK',
      'ERROR_AFTER_EFFORT',
      'ERROR_UNSPECIFIC',
    ],
  },
  { from: 'adr/adr', param: 'weight', reader: 'evidence units', accepts: { min: 0, max: 1 } },
  { from: 'adr/adr', param: 'deficit', reader: 'evidence units', accepts: { min: 0, max: 1 } },
  { from: 'cis/cis', param: 'outcome', to: 'pac/pac', fact: 'conflictState' },
  {
    from: 'cis/cis',
    param: 'winner',
    reader: 'okSideWins of BND',
    accepts: ['none', 'heavier', 'authoritative_else_newer'],
  },
  // Without items no band is asked for.
  { from: 'bnd/bnd', param: 'outcome', to: 'pac/pac', fact: 'deficitBand', also: ['unknown'] },
  { from: 'pac/pac', param: 'outcome', to: 'ssr/ssr', fact: 'pacDecision' },
  { from: 'pac/pac', param: 'reason', to: 'ssr/ssr', fact: 'pacReason' },
  {
    from: 'pac/pac',
    param: 'action',
    optional: true,
    reader: 'next data action',
    accepts: ['run_diagnostic', 'administer_more_items', 'repeat_diagnostic', 'administer_orf'],
  },
  {
    from: 'ssr/ssr',
    param: 'outcome',
    except: ['do_not_decide_yet'],
    reader: 'facts of DDR',
    accepts: statuses,
  },
  {
    from: 'ssr/ssr',
    param: 'modifiers',
    optional: true,
    reader: 'modifiers',
    accepts: ['ARABIC_ACCURACY_ONLY_MONITOR'],
  },
  // A domain without a status has no tile.
  { from: 'ddr/ddr', param: 'outcome', except: ['undecided'], to: 'dsm/dsm', fact: 'domainStatus' },
  { from: 'ddr/ddr', param: 'outcome', except: ['undecided'], to: 'esc/esc', fact: 'domainStatus' },
  { from: 'ddr/ddr', param: 'outcome', except: ['undecided'], reader: 'facts of DDR-LC', accepts: statuses },
  {
    from: 'ddr-lc/ddr-lc',
    param: 'outcome',
    reader: 'comprehension pattern',
    accepts: [
      'combined_dual_bottleneck',
      'decoding_bottleneck',
      'language_bottleneck',
      'text_strategy_bottleneck',
      'inconclusive_needs_more_data',
    ],
  },
  {
    from: 'ddr-lc/ddr-lc',
    param: 'compRoutingHint',
    reader: 'routing hint',
    accepts: ['dual_track', 'decode_first', 'language_first', 'text_strategies', 'collect_more_data'],
  },
  {
    from: 'dsm/dsm',
    param: 'outcome',
    reader: 'tile value',
    accepts: ['Below', 'Contextual', 'Partial', 'Approaching', 'Meets'],
  },
  { from: 'esc/esc', param: 'outcome', reader: 'tile value', accepts: ['Severe'] },
  { from: 'esc/esc', param: 'path', reader: 'severe path', accepts: ['A', 'B'] },
];
