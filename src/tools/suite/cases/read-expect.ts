import type { YamlPath } from '../../../language/policy/yaml/yaml.ts';
import { isJsonObject, type Json, own } from '../../../lib/json.ts';
import type { NamedCheck } from '../expect/expect-key.ts';
import { EXPECT_KEYS } from '../expect/expect-keys.ts';
import { type CaseReader, complain, complainAll } from './case-reader.ts';

/**
 * Reads an expectation: an action, or a mapping of `EXPECT_KEYS`. Undefined if it is not sound.
 *
 * @param hasHost true if the case runs through a host, which alone has an output
 */
export function readExpect(
  reader: CaseReader,
  value: Json,
  path: YamlPath,
  hasHost: boolean,
): readonly NamedCheck[] | undefined {
  const before = reader.diagnostics.length;
  const mapping = isJsonObject(value) ? value : { action: value };
  const checks: NamedCheck[] = [];
  for (const { key, needsHost, read } of EXPECT_KEYS) {
    const written = own(mapping, key);
    if (written === undefined) continue;
    const here = isJsonObject(value) ? [...path, key] : path;
    const reading = read(written);
    if (needsHost === true && !hasHost) {
      const message = `Cannot expect "${key}" of a case without an agent`;
      complain(reader, 'bad-value', here, message, 'add "hosts"', 'key');
    } else if (reading.ok) checks.push({ key, check: reading.value });
    else complainAll(reader, here, [reading.problem]);
  }
  return reader.diagnostics.length === before ? checks : undefined;
}
