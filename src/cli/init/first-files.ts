/** A file that `policy init` writes. */
export interface FirstFile {
  /** Inside the project's policy folder. */
  readonly name: string;
  readonly text: string;
}

const POLICY = `# Policies say what an agent must not do, or do differently, before it does it.
# "policy schema > .policy/policy.schema.json" gives editors what they need to complete this file:
# yaml-language-server: $schema=./policy.schema.json
version: 1
name: first
description: A first policy, to be changed

policies:
  - id: no-force-push                  # reasons and logs name it "first/no-force-push"
    description: A force push rewrites history that others have pulled
    tool: shell                        # a portable class: whatever the host calls its shell
    command:                           # what would run, however it is spelled
      subcommand: [git, push]
      flags: {any: [--force, -f]}
    action: deny
    reason: A force push rewrites history that others have pulled   # the model reads both
    instead: Push a new branch and open a pull request
    examples:                          # run whenever this file is checked or tested
      hit:
        - {command: git push -f}
        - {command: cd app && sudo git -C lib push origin main --force}
      miss:
        - {command: git push}
        - {command: 'git commit -m "never git push -f"'}

  - id: watch-installs
    description: Who installs what; logged, without effect, until "mode" is removed
    mode: monitor
    tool: shell
    command:
      - {subcommand: [npm, [install, add]]}
      - {subcommand: [pip, install]}
    action: deny
    reason: New dependencies are for people to choose
    examples:
      hit:
        - {command: npm install left-pad}
        - {command: npm add left-pad}
        - {command: python3 -m pip install requests}
      miss: [{command: npm test}]
`;

const TEST = `# Cases for the policies beside this file: policy test runs them.
version: 1
cases:
  - name: refuses a force push and says what to do instead
    call: {tool: shell, command: git push --force}
    expect: {action: deny, policy: no-force-push, reason: open a pull request}

  - name: leaves an ordinary push alone
    call: {tool: shell, command: git push origin main}
    expect: {action: continue}

  - name: only watches installs
    call: {tool: shell, command: npm install left-pad}
    expect: {action: continue, monitored: watch-installs}
`;

/** The files of a first policy folder: a commented policy and its test. */
export const FIRST_FILES: readonly FirstFile[] = [
  { name: 'first.yaml', text: POLICY },
  { name: 'first.test.yaml', text: TEST },
];
