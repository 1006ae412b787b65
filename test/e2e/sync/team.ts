import { buildBundle } from '../../../src/fleet/bundle/bundle.ts';
import { generateKeys, readSecretKey } from '../../../src/fleet/bundle/keys.ts';
import { bytesOf } from '../../bundle/make-bundle.ts';

/** The keys of the team. */
export const TEAM = generateKeys();
export const OTHER = generateKeys();

/** A policy of the bundle that refuses one program. */
export function refusing(program: string): string {
  return `version: 1\npolicies: [{id: no-${program}, tool: shell, arguments: {command: '^${program}$'}, action: deny, reason: not here}]\n`;
}

/** What a bundle of the team is made of. */
export interface Made {
  readonly version?: string;
  readonly name?: string;
  readonly expires?: string;
  readonly program?: string;
  readonly texts?: Readonly<Record<string, string>>;
  readonly keys?: readonly { readonly secretText: string }[];
}

export function bundleOf(made: Made = {}): Promise<Uint8Array> {
  return buildBundle({
    name: made.name ?? 'acme',
    version: made.version ?? '1.0.0',
    expires: made.expires,
    files: bytesOf(made.texts ?? { 'team.yaml': refusing(made.program ?? 'htop') }),
    tests: new Map(),
    keys: (made.keys ?? [TEAM]).map(({ secretText }) => readSecretKey(secretText)),
  });
}

/** A file of the organisation that names a bundle. */
export function managedText(
  url: string,
  more = '',
  keys: readonly { readonly publicText: string }[] = [TEAM],
): string {
  const lines = keys.map(({ publicText }) => publicText.split('\n')[1]);
  return `version: 1\nmanaged: {url: '${url}', keys: [${lines.join(', ')}]${more}}\n`;
}
