import { OWNERS } from './detectors.ts';
import { isSecretOption } from './secret-name.ts';

/** The service that issues a token, in one line: the stems of names of its variables, its hosts, and `name.*` for servers of one's own. */
type Owner = string;

/** Words of names that say nothing of a service. */
const GENERIC =
  /^(?:TOKEN|SECRET|API|APIKEY|KEY|ACCESS|AUTH|CLIENT|PASSWORD|PASS|PASSWD|PWD|APP|MY|USER|ADMIN|TEST|PROD|DEV|CI|ID|REFRESH|BEARER|SERVICE|ACCOUNT|BOT|DEPLOY|CREDENTIALS?|PRIVATE|PERSONAL|PAT|SESSION|WEBHOOK)$/;

/** Addresses of stores, which hold a password. */
const ADDRESS_WITH_PASSWORD =
  /(?:^|_)(?:DATABASE|DB|PG|POSTGRES\w{0,3}|MYSQL|MONGO\w{0,3}|REDIS|AMQP|RABBITMQ)_UR[LI]$/i;

let stems: readonly (readonly [stem: string, owner: Owner])[] | undefined;

/** The service that a variable is named after, if its tokens are known: the first of several. */
export function ownerOfVariable(name: string): Owner | undefined {
  stems ??= OWNERS.flatMap((owner) =>
    owner.split(' ').flatMap((word) => (isStem(word) ? [[`_${word}_`, owner] as const] : [])),
  );
  const written = `_${name.toUpperCase()}`;
  let found: { readonly at: number; readonly owner: Owner } | undefined;
  for (const [stem, owner] of stems) {
    const at = written.indexOf(stem);
    if (at !== -1 && (found === undefined || at < found.at)) found = { at, owner };
  }
  return found?.owner;
}

/** True for the name of a variable that holds a token, a password or a key. */
export function isTokenVariable(name: string): boolean {
  if (isSecretOption(name) || ADDRESS_WITH_PASSWORD.test(name)) return true;
  return /_KEY$/i.test(name) && !/PUBLI/i.test(name) && ownerOfVariable(name) !== undefined;
}

export function isOwnHost(owner: Owner, host: string): boolean {
  const hosts = owner.split(' ').filter((word) => !isStem(word));
  const named = hosts.filter((each) => !each.endsWith('.*'));
  if (named.some((each) => host === each || host.endsWith(`.${each}`))) return true;
  // `github.com.example.org` only looks like it.
  if (named.some((each) => `.${host}`.includes(`.${each}.`))) return false;
  const first = host.slice(0, host.indexOf('.') + 1);
  return hosts.some((each) => each.endsWith('.*') && first === each.slice(0, -1));
}

/** True if a host has a word of the name of a variable in its own: `ALCHEMY_API_KEY`, `eth.alchemy.com`. */
export function isNamedAfter(host: string, variable: string): boolean {
  const letters = host.replace(/[^a-z0-9]/g, '');
  const words = variable.toUpperCase().split('_');
  return words.some((word) => word.length > 2 && !GENERIC.test(word) && letters.includes(word.toLowerCase()));
}

function isStem(word: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(word);
}
