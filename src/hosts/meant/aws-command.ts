import { quotedWord } from '../../lib/command-argument.ts';
import { isJsonObject, type Json, ownObject, ownString } from '../../lib/json.ts';
import { type MeantBy, running } from './meant.ts';

/** A call of an API of AWS as the command line that does the same. */
export const awsCommand: MeantBy = (args) => {
  const service = ownString(args, 'service_name') ?? ownString(args, 'service') ?? '';
  const operation = ownString(args, 'operation_name') ?? ownString(args, 'operation') ?? '';
  const flags = Object.entries(ownObject(args, 'parameters') ?? {}).flatMap(([name, value]) => [
    `--${kebab(name)}`,
    ...wordsOf(value),
  ]);
  const rest = (['region', 'profile_name'] as const).flatMap((name) => {
    const value = ownString(args, name);
    return value === undefined ? [] : [`--${name.replace('_name', '')}`, value];
  });
  if (service === '' && operation === '') return undefined;
  const words = ['aws', service, kebab(operation), ...flags, ...rest];
  return running(words.map(quotedWord).join(' '));
};

/** `DeleteBucket`, `delete_bucket` and `delete-bucket` are one operation. */
function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

function wordsOf(value: Json): readonly string[] {
  if (value === null || value === '' || value === true) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  return [isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value)];
}
