// The packages with which the benchmarks compare: installed on first use, and typed as far as they are called, so that the
// repository type-checks without them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface ZenDecision {
  evaluate(context: unknown): Promise<{ readonly result: unknown }>;
}
export interface ZenEngine {
  createDecision(content: object): ZenDecision;
  dispose(): void;
}

/** The four-parameter logistic model; ours has a = 1, c = 0, d = 1. */
export interface Zeta {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}
export interface Cat {
  readonly theta: number;
  updateAbilityEstimate(zetas: readonly Zeta[], answers: readonly (0 | 1)[]): void;
}
export interface CatOptions {
  readonly method: 'EAP';
  readonly priorDist: 'norm';
  readonly priorPar: readonly [mean: number, sd: number];
  readonly minTheta: number;
  readonly maxTheta: number;
}

const require = createRequire(import.meta.url);

export const loadZen = (): { readonly ZenEngine: new () => ZenEngine } => load('@gorules/zen-engine');
export const loadJsCat = (): { readonly Cat: new (options: CatOptions) => Cat } => load('@bdelab/jscat');

function load<Module>(name: string): Module {
  const here = path.resolve(import.meta.dirname, '..');
  if (!fs.existsSync(path.join(here, 'node_modules', name))) {
    console.error('Installing the packages for comparison…');
    const argv = ['ci', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', argv, { stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`npm could not install ${name}; the lines above say why.`);
  }
  return require(name) as Module;
}
