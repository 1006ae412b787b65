// Plays the real hosts with the built binary as their hook and shows their actions. `npm run e2e:hosts -- NAME...` runs it.
import { join } from 'node:path';
import type { RealHost } from '../test/hosts-real/real-host.ts';

const POLICY = join(import.meta.dir, '../dist/policy');

/** A line per host; a host is loaded when it is named. */
const HOSTS: Readonly<Record<string, () => Promise<RealHost>>> = {
  jcli: async () => (await import('../test/hosts-real/jcli/jcli.ts')).jcli,
  picoclaw: async () => (await import('../test/hosts-real/picoclaw/picoclaw.ts')).picoclaw,
  claude: async () => (await import('../test/hosts-real/npm/claude.ts')).claude,
  codex: async () => (await import('../test/hosts-real/npm/codex.ts')).codex,
  qwen: async () => (await import('../test/hosts-real/npm/qwen.ts')).qwen,
  droid: async () => (await import('../test/hosts-real/npm/droid.ts')).droid,
  opencode: async () => (await import('../test/hosts-real/npm/opencode.ts')).opencode,
  hermes: async () => (await import('../test/hosts-real/npm/hermes.ts')).hermes,
  kimi: async () => (await import('../test/hosts-real/npm/kimi.ts')).kimi,
  crush: async () => (await import('../test/hosts-real/npm/crush.ts')).crush,
  grok: async () => (await import('../test/hosts-real/npm/grok.ts')).grok,
  cline: async () => (await import('../test/hosts-real/npm/cline.ts')).cline,
  openclaw: async () => (await import('../test/hosts-real/npm/openclaw.ts')).openclaw,
  copilot: async () => (await import('../test/hosts-real/npm/copilot.ts')).copilot,
  gemini: async () => (await import('../test/hosts-real/gemini/gemini.ts')).gemini,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(HOSTS);
let failed = 0;
for (const name of names) {
  const load = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
  if (load === undefined) {
    console.error(`Cannot play "${name}": the hosts are ${Object.keys(HOSTS).join(', ')}`);
    process.exit(2);
  }
  const host = await load();
  const missing = await host.missing();
  console.log(`\n${name}${missing === undefined ? '' : `: skipped, ${missing}`}`);
  if (missing !== undefined) continue;
  let scenes = 0;
  for await (const { name: scene, expected, seen } of host.play(POLICY)) {
    scenes++;
    if (expected === seen) console.log(`  ok    ${scene}: ${seen}`);
    else {
      failed++;
      console.log(`  FAIL  ${scene}\n        expected  ${expected}\n        seen      ${seen}`);
    }
  }
  if (scenes === 0) {
    failed++;
    console.log('  FAIL  the host played no scene');
  }
}
console.log(failed === 0 ? '\nAll scenes as expected' : `\n${failed} scenes went wrong`);
process.exit(failed === 0 ? 0 : 1);
