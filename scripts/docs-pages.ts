import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const FOLDER = join(import.meta.dir, '..', 'docs');
/** The page that lists the others. */
const INDEX = 'README';

/** The pages of the documentation by name, as if all lay in one folder: the index first, the others in its order. */
export function docsPages(): Readonly<Record<string, string>> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
  const texts = new Map(
    names.map((name) => [basename(name, '.md'), readFileSync(join(FOLDER, name), 'utf8')]),
  );
  const security = readFileSync(join(FOLDER, '..', 'SECURITY.md'), 'utf8');
  texts.set('security', security.replaceAll('](docs/', ']('));
  const index = texts.get(INDEX) ?? '';
  const place = (name: string) => {
    const at = index.search(new RegExp(`\\]\\((?:\\.\\./)?${name}\\.md`, 'i'));
    return name === INDEX ? -1 : at === -1 ? index.length : at;
  };
  const inOneFolder = (text: string) => text.replaceAll('](../SECURITY.md', '](security.md');
  return Object.fromEntries(
    [...texts].toSorted(([a], [b]) => place(a) - place(b)).map(([name, text]) => [name, inOneFolder(text)]),
  );
}
