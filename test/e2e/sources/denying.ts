/** A policy file that refuses a program, with examples. */
export function denying(command: string): string {
  return `version: 1
policies:
  - id: no-${command}
    command: ${command}
    action: deny
    reason: no ${command}
    examples: {hit: [{command: ${command} x}], miss: [{command: ls}]}
`;
}
