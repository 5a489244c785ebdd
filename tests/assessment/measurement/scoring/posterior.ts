// An independent posterior: the Rasch likelihood times a normal prior, integrated by adaptive Simpson.

export interface Answer {
  readonly difficultyLogit: number;
  readonly correct: boolean;
}

type Moments = readonly [mass: number, first: number, second: number];

/** Far beyond any posterior of difficulties in −4…4 and priors N(−4…4, 0.3…2). */
const edge = 40;
const segments = 80;
const tolerance = 1e-11;

export function posteriorMoments(answers: readonly Answer[], prior: { mean: number; sd: number }) {
  const log = (theta: number) => logDensity(theta, answers, prior);
  const peak = Math.max(...Array.from({ length: 40 * edge + 1 }, (_, index) => log(index / 20 - edge)));
  const density = (theta: number): Moments => {
    const weight = Math.exp(log(theta) - peak);
    return [weight, weight * theta, weight * theta * theta];
  };
  const width = (2 * edge) / segments;
  let total: Moments = [0, 0, 0];
  for (let index = 0; index < segments; index++) {
    const from = index * width - edge;
    total = add(total, simpson(density, from, from + width));
  }
  const mean = total[1] / total[0];
  return { mean, sd: Math.sqrt(total[2] / total[0] - mean * mean) };
}

function logDensity(theta: number, answers: readonly Answer[], { mean, sd }: { mean: number; sd: number }): number {
  const z = (theta - mean) / sd;
  return answers.reduce(
    (sum, { difficultyLogit, correct }) => {
      const towards = correct ? theta - difficultyLogit : difficultyLogit - theta;
      return sum - (towards > -700 ? Math.log1p(Math.exp(-towards)) : -towards);
    },
    (-z * z) / 2,
  );
}

function simpson(density: (theta: number) => Moments, from: number, to: number, depth = 30): Moments {
  const middle = (from + to) / 2;
  const whole = rule(density, from, to);
  const halves = add(rule(density, from, middle), rule(density, middle, to));
  const error = Math.max(...halves.map((value, index) => Math.abs(value - (whole[index] ?? 0))));
  if (depth === 0 || error < tolerance) return halves;
  return add(simpson(density, from, middle, depth - 1), simpson(density, middle, to, depth - 1));
}

function rule(density: (theta: number) => Moments, from: number, to: number): Moments {
  const [a, m, b] = [density(from), density((from + to) / 2), density(to)];
  const weigh = (index: 0 | 1 | 2) => ((to - from) / 6) * (a[index] + 4 * m[index] + b[index]);
  return [weigh(0), weigh(1), weigh(2)];
}

const add = (a: Moments, b: Moments): Moments => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
