// Runs a program with this one's input and prints what it said and took. A process of its own: a program's largest size
// counts from that of the process that starts it, and the runner of tests is large.
const [program = '', ...args] = process.argv.slice(2);
const { stdout, stderr, exitCode, resourceUsage } = Bun.spawnSync([program, ...args], { stdin: 'inherit' });
console.log(
  JSON.stringify({
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    exitCode,
    processorMs: Number(resourceUsage.cpuTime.total) / 1_000,
    maxRssBytes: resourceUsage.maxRSS,
  }),
);
