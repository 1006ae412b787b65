import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const MODULES = `node_modules${sep}`;
/** How packages name the files that their licences ask to be passed on. */
const NOTICE_FILE = /^(licen[sc]e|copying|notice)/i;
const RULE = '-'.repeat(80);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The licences of all that is compiled into the binary: the runtime, and each package that the bundler takes code from. */
export async function thirdPartyNotices(root: string): Promise<string> {
  const { metafile } = await Bun.build({
    entrypoints: [join(root, 'src/main.ts')],
    target: 'bun',
    metafile: true,
  });
  const folders = new Set(Object.keys(metafile?.inputs ?? {}).flatMap(packageFolderOf));
  if (folders.size === 0) throw new Error('Cannot list the packages in the binary: the bundler names none');
  const packagesByText = new Map<string, string[]>();
  for (const folder of [...folders].sort()) {
    const { name, version, license } = manifestIn(join(root, folder));
    const text = noticesIn(join(root, folder)) || `${license}; the package brings no text of it.`;
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [
    `The binary contains Bun ${Bun.version} (MIT), which links JavaScriptCore (LGPL-2) and other libraries statically;`,
    'their licences, and how to link them anew, are at https://bun.com/docs/project/licensing.',
    'It contains code of these packages too:',
    ...[...packagesByText].map(([text, packages]) => `${RULE}\n${packages.join('\n')}\n\n${text}`),
    '',
  ].join('\n');
}

/** `node_modules/NAME` of a file in a package, however deep that is. */
function packageFolderOf(file: string): readonly string[] {
  const at = file.lastIndexOf(MODULES);
  if (at === -1) return [];
  const names = file.slice(at + MODULES.length).split(sep);
  return [file.slice(0, at) + MODULES + names.slice(0, names[0]?.startsWith('@') ? 2 : 1).join(sep)];
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function noticesIn(folder: string): string {
  const files = readdirSync(folder).filter((name) => NOTICE_FILE.test(name));
  return files
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
    .join('\n\n');
}
