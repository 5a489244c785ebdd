// The cluster key: the values that students of one group share, as a canonical text.
import type { DeliveryMode } from '../vocabulary.ts';

/** The values as in the text, not checked against any enum. */
export interface KeyFields {
  readonly bundle_id: string;
  readonly anchor_skill_group: string;
  readonly scaffold_tier: string;
  readonly compatible_delivery_mode: string;
  readonly sufficient_data: boolean;
}

export interface ClusterFields extends KeyFields {
  readonly scaffold_tier: ClusterTier;
  readonly compatible_delivery_mode: DeliveryMode | 'none';
}

/** Teacher-led groups combine the two lighter tiers. */
export const clusterTiers = ['Level_3', 'Level_2', 'Level_1', 'Level_1_2'] as const;
export type ClusterTier = (typeof clusterTiers)[number];

const names = [
  'bundle_id',
  'anchor_skill_group',
  'scaffold_tier',
  'compatible_delivery_mode',
  'sufficient_data',
] as const;
export const clusterKeyLength = 256;
const value = '([A-Za-z0-9_-]+)';
export const clusterKeyPattern = `^${names.map((name) => `${name}=${value}`).join('\\|')}$`;
const grammar = new RegExp(clusterKeyPattern);

export const clusterKeyOf = (fields: KeyFields): string =>
  names.map((name) => `${name}=${String(fields[name])}`).join('|');

/** Returns undefined for a text that is no cluster key. */
export function parseClusterKey(text: string): KeyFields | undefined {
  const found = text.length <= clusterKeyLength ? grammar.exec(text) : null;
  if (!found) return undefined;
  const [, bundle_id = '', anchor_skill_group = '', scaffold_tier = '', compatible_delivery_mode = '', data] = found;
  if (data !== 'true' && data !== 'false') return undefined;
  return { bundle_id, anchor_skill_group, scaffold_tier, compatible_delivery_mode, sufficient_data: data === 'true' };
}

/** Whether two keys differ in the delivery mode alone. */
export function differsInModeOnly(one: string, other: string): boolean {
  const [left, right] = [parseClusterKey(one), parseClusterKey(other)];
  if (!left || !right || left.compatible_delivery_mode === right.compatible_delivery_mode) return false;
  return clusterKeyOf({ ...left, compatible_delivery_mode: right.compatible_delivery_mode }) === other;
}
