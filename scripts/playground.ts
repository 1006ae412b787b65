import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { HOSTS } from '../src/hosts/registry.ts';

const FOLDER = join(import.meta.dir, '../src/tools/playground');
/** Parts of the runtime that judging a text needs: the digests only tell texts apart here. */
const RUNTIME = `
const words = (text) => { let a = 0x811c9dc5, b = 0x1000193; for (let i = 0; i < text.length; i++) { a = Math.imul(a ^ text.charCodeAt(i), 0x01000193); b = Math.imul(b + text.charCodeAt(i), 0x85ebca6b); } return [a >>> 0, b >>> 0].map((n) => n.toString(16).padStart(8, '0')).join(''); };
class CryptoHasher { text = ''; update(part) { this.text += typeof part === 'string' ? part : String.fromCharCode(...part); return this; } digest() { return words(this.text).repeat(4); } }
globalThis.Bun = { CryptoHasher, hash: { wyhash: (text) => BigInt('0x' + words(text)) } };
globalThis.process = { platform: 'linux', env: {} };
globalThis.Buffer = { byteLength: (text) => new TextEncoder().encode(text).length };
`;

/** The page of `policy docs --playground`: one file with the engine in it. */
export async function playgroundPage(): Promise<string> {
  const engine = Bun.gzipSync(new TextEncoder().encode(RUNTIME + (await bundle())));
  const script = await minified(join(FOLDER, 'page.js'));
  const style = readFileSync(join(FOLDER, 'page.css'), 'utf8');
  const hash = (text: string) => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`;
  const rules = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
  const data = JSON.stringify({
    hosts: HOSTS.map(({ name, title }) => ({ name, title })),
    examples: examples(),
  }).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${rules.join('; ')}">
<meta name="viewport" content="width=device-width">
<title>policy: playground</title>
<style>${style}</style>
<h1>Try a policy</h1>
<p id="from-link" hidden>This policy came with the link: somebody else wrote it. Nothing of it leaves this page.</p>
<form>
<div><label for="policy">Policy</label><textarea id="policy" spellcheck="false"></textarea><pre id="problems"></pre></div>
<div>
<label>Example <select id="example"></select></label>
<label>Agent <select id="host"></select></label>
<label for="calls">Calls of a session, one a line: a shell command, or JSON</label>
<textarea id="calls" spellcheck="false"></textarea>
<button type="button" id="share">Put it into the address</button> <output id="state"></output>
<ol id="results"></ol>
<p>The packs baseline and self-protection apply as well. Judges are never asked, programs never run, and the disk is not known here.</p>
</div>
</form>
<script type="application/json" id="data">${data}</script>
<script type="text/plain" id="engine">${Buffer.from(engine).toString('base64')}</script>
<script>${script}</script>
</html>
`;
}

async function bundle(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(FOLDER, 'worker.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
    plugins: [
      {
        name: 'no-machine',
        setup(build) {
          // A text never reaches the code that reads the disk.
          const machine = /^node:(?:fs|crypto|os|child_process|tty|net|https?|zlib|stream|worker_threads)$/;
          build.onResolve({ filter: machine }, ({ path }) => ({ path, namespace: 'machine' }));
          build.onLoad({ filter: /.*/, namespace: 'machine' }, async ({ path }) => {
            const names = Object.keys(await import(path)).filter((name) => name !== 'default');
            const contents = names.map((name) => `export const ${name} = absent;`).join('\n');
            return {
              contents: `const absent = () => { throw new Error("there is no disk here"); };\n${contents}\nexport default {};`,
              loader: 'js',
            };
          });
        },
      },
    ],
  });
  return (await built.outputs[0]?.text()) ?? '';
}

async function minified(path: string): Promise<string> {
  const built = await Bun.build({ entrypoints: [path], target: 'browser', format: 'iife', minify: true });
  return ((await built.outputs[0]?.text()) ?? '').trim();
}

interface Example {
  readonly title: string;
  readonly policy: string;
  readonly calls: string;
  readonly host: string;
}

/** Recipes of the cookbook whose tests have shell commands, with these commands. */
function examples(): readonly Example[] {
  const text = readFileSync(join(import.meta.dir, '../docs/cookbook.md'), 'utf8');
  return text.split(/^## /m).flatMap((section) => {
    const title = section.split('\n', 1)[0] ?? '';
    const [policy, tests] = [...section.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
      ([, block = '']) => block,
    );
    if (policy === undefined || tests === undefined || /\bfile:/.test(policy)) return [];
    const commands = commandsIn(load(tests)).slice(0, 8);
    return commands.length === 0 ? [] : [{ title, policy, calls: commands.join('\n'), host: 'claude' }];
  });
}

function commandsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { command, expect: _, ...rest } = value as Record<string, unknown>;
  const own = typeof command === 'string' && !command.includes('\n') ? [command] : [];
  return [...own, ...Object.values(rest).flatMap(commandsIn)];
}
