import type { YamlPath } from '../../language/policy/yaml/yaml.ts';
import { isJsonObject, type Json, own } from '../../lib/json.ts';
import {
  type CaseReader,
  checkKeys,
  complain,
  complainAll,
  complainOfKey,
  wrongType,
} from './case-reader.ts';
import type { NamedCheck } from './expect-key.ts';
import { EXPECT_KEYS } from './expect-keys.ts';

const KNOWN = EXPECT_KEYS.map(({ key }) => key);

/**
 * Reads what is expected: an action, or a mapping of `EXPECT_KEYS`. Undefined if it is not sound.
 *
 * @param hasHost whether the case runs through a host, which alone has an output
 */
export function readExpect(
  reader: CaseReader,
  value: Json,
  path: YamlPath,
  hasHost: boolean,
): readonly NamedCheck[] | undefined {
  const before = reader.diagnostics.length;
  const mapping = typeof value === 'string' ? { action: value } : value;
  const pathOf = (key: string) => (typeof value === 'string' ? path : [...path, key]);
  if (!isJsonObject(mapping)) {
    wrongType(reader, path, value, 'an action or a mapping');
    return undefined;
  }
  if (Object.keys(mapping).length === 0) {
    complain(
      reader,
      'missing-key',
      path,
      'Cannot use "expect": it asserts nothing',
      `add one of ${KNOWN.join(', ')}`,
    );
    return undefined;
  }
  checkKeys(reader, mapping, path, KNOWN, '"expect"');
  const checks: NamedCheck[] = [];
  for (const { key, needsHost, read } of EXPECT_KEYS) {
    const written = own(mapping, key);
    if (written === undefined) continue;
    if (needsHost === true && !hasHost) {
      complainOfKey(
        reader,
        'bad-value',
        pathOf(key),
        `Cannot expect "${key}" of a case without an agent`,
        'add "hosts"',
      );
      continue;
    }
    const reading = read(written);
    if (reading.ok) checks.push({ key, check: reading.check });
    else complainAll(reader, pathOf(key), [reading.problem]);
  }
  return reader.diagnostics.length === before ? checks : undefined;
}
