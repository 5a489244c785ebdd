// Which part of a recording a request asks for (RFC 9110, 14.2): one range of bytes, as players ask when they seek.

export interface ByteRange {
  readonly first: number;
  /** Included. */
  readonly last: number;
}

/** undefined: the whole, also for what is not understood. `unsatisfiable`: nothing of it is there. */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') return suffix(Number(to), size);
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

const suffix = (length: number, size: number): ByteRange | 'unsatisfiable' =>
  length === 0 ? 'unsatisfiable' : { first: Math.max(0, size - length), last: size - 1 };
