// Compares the readings of random scripts with the commands that a real bash runs and the ones that mvdan/sh parses, and the
// paths in random arguments with those that hosts read.
// `npm run fuzz -- --seed N --seconds S` runs it; `--scripts N` stops after so many, `--file F` takes the lines of a file.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { missedSpelling } from '../test/hosts/missed-spellings.ts';
import { alwaysRefused, classify, type Findings, tryScripts } from '../test/reading/oracles/misses.ts';
import { judgeSyntax, readScript } from '../test/reading/oracles/oracle.ts';

const BATCH = 500;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    scripts: { type: 'string', default: 'Infinity' },
    file: { type: 'string' },
  },
});
const missed = values.file === undefined ? await tryRandom() : await tryFile(values.file);
process.exit(missed === 0 ? 0 : 1);

async function tryRandom(): Promise<number> {
  const seed = wholeNumber('seed', values.seed);
  const limit = values.scripts === 'Infinity' ? Infinity : wholeNumber('scripts', values.scripts);
  const end = performance.now() + wholeNumber('seconds', values.seconds) * 1_000;
  let tried = 0;
  const spelled: string[] = [];
  let all: Findings = { ran: [], refused: [], misses: [] };
  while (tried < limit && performance.now() < end) {
    const to = Math.min(tried + BATCH, limit);
    const { ran, refused, misses } = await tryScripts(seed, tried, to);
    all = {
      ran: [...all.ran, ...ran],
      refused: [...all.refused, ...refused],
      misses: [...all.misses, ...misses],
    };
    const spelling = missedSpelling(seed + tried, to - tried);
    if (spelling !== undefined) spelled.push(spelling);
    tried = to;
    showProgress(`${tried} scripts, ${all.misses.length} misses`);
  }
  const { ran, refused, misses } = all;
  for (const { name, count, example } of await classify(misses)) {
    console.log(`${count} x ${name}\n    ${example.replaceAll('\n', '\n    ')}\n`);
  }
  const always = alwaysRefused(all);
  if (always.length > 0) console.log(`Contexts that are always refused:\n  ${always.join('\n  ')}\n`);
  console.log(`Seed ${seed}: ${tried} scripts; bash ran commands of ${ran.length}`);
  console.log(`Refused: ${share(refused.length, ran.length)} of those`);
  console.log(`Misses: ${misses.length}`);
  console.log(
    `Paths that a host reads otherwise: ${spelled.length}${spelled.map((call) => `\n  ${call}`).join('')}`,
  );
  return misses.length + spelled.length;
}

async function tryFile(path: string): Promise<number> {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  let known = 0;
  let refused = 0;
  let misses = 0;
  for (const [at, line] of lines.entries()) {
    const verdict = await judgeSyntax(line);
    if (at % BATCH === 0) showProgress(`${at} of ${lines.length} lines`);
    if (!verdict.known) continue;
    known++;
    if (!readScript(line).complete) refused++;
    if (verdict.missed === undefined) continue;
    misses++;
    console.log(`${path}:${at + 1}: "${verdict.missed}" is missed\n    ${line}`);
  }
  console.log(`${lines.length} lines; mvdan/sh parses ${known}`);
  console.log(`Refused: ${share(refused, known)} of those`);
  console.log(`Misses: ${misses}`);
  return misses;
}

function wholeNumber(name: string, value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  console.error(`Cannot take "${value}" for --${name}: it is not a whole number`);
  process.exit(2);
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / Math.max(whole, 1)).toFixed(1)} %)`;
}

function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text} `);
}
