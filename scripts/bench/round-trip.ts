// Times single calls, each sent when the one before is answered: `bun round-trip.ts <program> [argument …]`. Prints the
// middle of the times in microseconds.
import { median } from './measure.ts';
import { picoclawCall } from './workplace.ts';

/** So many that hot code is compiled: a hook lives as long as its agent. */
const WARM_UP_CALLS = 20_000;
const CALLS = 5_000;

const child = Bun.spawn(process.argv.slice(2), { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
const reader = child.stdout.getReader();
const times: number[] = [];
for (let id = 1; id <= WARM_UP_CALLS + CALLS; id += 1) {
  const line = Buffer.from(`${picoclawCall(id, 'hook.before_tool', 'git status --short')}\n`);
  const startNs = Bun.nanoseconds();
  child.stdin.write(line);
  await child.stdin.flush();
  for (let read = await reader.read(); read.value?.at(-1) !== 10; read = await reader.read()) {
    if (read.done) throw new Error('The program ended before it had answered');
  }
  if (id > WARM_UP_CALLS) times.push((Bun.nanoseconds() - startNs) / 1_000);
}
child.stdin.end();
await child.exited;
console.log(median(times));
