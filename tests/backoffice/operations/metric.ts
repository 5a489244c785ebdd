// One number of a Prometheus text.

/** NaN where the metric is not there, or not with these labels. */
export function metricOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split('\n')
    .find((each) => /^\w+/.exec(each)?.[0] === name && wanted.every((label) => each.includes(label)));
  return line === undefined ? Number.NaN : Number(line.slice(line.lastIndexOf(' ') + 1));
}
