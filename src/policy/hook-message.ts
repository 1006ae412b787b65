import type { Diagnostic, DiagnosticCode } from '../model/diagnostic.ts';

const KINDS: Readonly<Record<DiagnosticCode, string>> = {
  yaml: 'not valid YAML',
  'unknown-key': 'an unknown key',
  'duplicate-id': 'an id used twice',
  'missing-key': 'a missing key',
  'wrong-type': 'a value of the wrong type',
  'bad-value': 'a value that is not allowed',
  regex: 'a regex that does not compile',
  glob: 'a glob that does not compile',
  'json-schema': 'a JSON Schema that is not valid',
  template: 'a template that cannot be filled',
  'event-action': 'an action that its event does not have',
  'event-key': 'a key that its event does not carry',
  extends: 'a file that cannot be extended',
  trust: 'a part without effect',
  file: 'a file that cannot be read',
  example: 'an example that fails',
  'host-support': 'an action that a host cannot do',
  'host-unknown': 'a key that a host cannot tell',
};

const MAX_NAMED = 3;
const MAX_PATH_LENGTH = 200;

/**
 * What may be said of broken policies where an agent reads it: places and kinds of problems, never what the files
 * contain.
 */
export function hookMessage(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const named = errors.slice(0, MAX_NAMED).map(({ code, position }) => {
    return `${printable(position.file)}:${position.line}:${position.column} ${KINDS[code]}`;
  });
  const rest = errors.length - named.length;
  const more = rest === 0 ? '' : `; and ${rest} more`;
  return `Cannot load the policies: ${named.join('; ')}${more}. Run policy check`;
}

/** File names come from repositories too, so they must not write lines of their own. */
function printable(path: string): string {
  const plain = path.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');
  return plain.length > MAX_PATH_LENGTH ? `…${plain.slice(-MAX_PATH_LENGTH)}` : plain;
}
