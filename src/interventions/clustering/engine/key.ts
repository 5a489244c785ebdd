// What students who can be taught together have in common, as one canonical text.

export interface ClusterFields {
  readonly bundle_id: string;
  readonly anchor_skill_group: string;
  readonly scaffold_tier: string;
  readonly compatible_delivery_mode: string;
  readonly sufficient_data: boolean;
}

const names = [
  'bundle_id',
  'anchor_skill_group',
  'scaffold_tier',
  'compatible_delivery_mode',
  'sufficient_data',
] as const;
const longest = 256;
const value = '([A-Za-z0-9_-]+)';
const grammar = new RegExp(`^${names.map((name) => `${name}=${value}`).join('\\|')}$`);

export const clusterKeyOf = (fields: ClusterFields): string =>
  names.map((name) => `${name}=${String(fields[name])}`).join('|');

/** Undefined for a text that is no cluster key. */
export function parseClusterKey(text: string): ClusterFields | undefined {
  const found = text.length <= longest ? grammar.exec(text) : null;
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
