// Compares what the reading finds in random scripts with what a real bash runs. `npm run fuzz -- --seed N --seconds S` runs it.
import { parseArgs } from 'node:util';
import { classify, type Miss, tryScripts } from '../test/reading/oracles/misses.ts';

const BATCH = 500;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    scripts: { type: 'string' },
  },
});
const seed = Number(values.seed);
const limit = values.scripts === undefined ? Infinity : Number(values.scripts);
const end = performance.now() + Number(values.seconds) * 1_000;

let tried = 0;
let ran = 0;
let gaps = 0;
const misses: Miss[] = [];
while (tried < limit && (values.scripts !== undefined || performance.now() < end)) {
  const to = Math.min(tried + BATCH, limit);
  const found = await tryScripts(seed, tried, to);
  tried = to;
  ran += found.ran;
  gaps += found.gaps;
  misses.push(...found.misses);
  if (process.stderr.isTTY) process.stderr.write(`\r${tried} scripts, ${misses.length} misses`);
}
if (process.stderr.isTTY) process.stderr.write('\n');

console.log(`seed ${seed}: ${tried} scripts, bash ran ${ran} of them, ${gaps} of those have a gap`);
console.log(`${misses.length} misses`);
for (const { name, count, example } of await classify(misses)) {
  console.log(`\n${count} x ${name}\n    ${example.replaceAll('\n', '\n    ')}`);
}
process.exit(misses.length === 0 ? 0 : 1);
