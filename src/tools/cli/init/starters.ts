import { readdirSync } from 'node:fs';

/** A set of policies to begin with: `starters/NAME.yaml` and its test. */
export interface Starter {
  readonly name: string;
  /** True for the name of a file that says what a project is made with. */
  readonly isSign: (file: string) => boolean;
}

/** For projects that show nothing of the others. */
export const FIRST = 'first';

/** What `--for` may say. */
export const STARTERS: readonly Starter[] = [
  { name: 'npm', isSign: (file) => file === 'package.json' },
  { name: 'python', isSign: (file) => ['pyproject.toml', 'requirements.txt', 'setup.py'].includes(file) },
  { name: 'terraform', isSign: (file) => file.endsWith('.tf') },
  { name: 'k8s', isSign: (file) => /^(?:Chart|kustomization)\.ya?ml$/.test(file) },
];

/** The names of those that fit the files of a directory; `first` where none does. */
export function startersFor(directory: string): readonly string[] {
  const files = readdirSync(directory);
  const found = STARTERS.filter(({ isSign }) => files.some(isSign)).map(({ name }) => name);
  return found.length === 0 ? [FIRST] : found;
}
