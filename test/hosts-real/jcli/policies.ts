/** The user's policies in most scenes. What they refuse does no harm where it runs. */
export const HOUSE = `
version: 1
name: house
policies:
  - id: no-push
    tool: shell
    command: {writes: 'pushed*'}
    action: deny
    reason: 'Pushing is for people, not for {{arguments.command}}'
  - id: other-name
    tool: shell
    arguments: {command: 'touch old'}
    action: modify
    rewrite: {replace: [{at: command, regex: 'touch old', with: 'touch new'}]}
  - id: no-keys
    on: [before_llm, after_tool]
    action: modify
    rewrite: {redact: [{regex: 'key-[0-9]+', with: '[redacted]'}]}
  - {id: no-insults, on: before_prompt, content: stupid, action: deny, reason: Be kind}
  - id: no-falcons
    on: before_llm
    content: project falcon
    action: abort_turn
    reason: The name is not public
  - id: tests-first
    on: after_turn
    content: all done
    action: retry_feedback
    feedback: Run the tests first
    max_retries: 2
    on_exhausted: continue
`;

/** Guards a file in the home directory. */
export const AT_HOME = `
version: 1
name: house
policies:
  - {id: guarded, path: ~/guarded, action: deny, reason: It is guarded}
`;
