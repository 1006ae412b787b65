import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../src/lib/json.ts';
import { workplace } from './workplace.ts';

const HOUSE = `version: 1
name: house
policies:
  - {id: asked, description: d, command: {run: deploy}, action: ask, reason: Somebody has to agree}
  - {id: rewritten, description: d, command: {run: draft}, action: modify, rewrite: {program: {draft: final}}}
  - {id: approved, description: d, command: {run: build}, action: approve}
`;

async function answerTo(command: string, tool = 'Bash') {
  const place = workplace({ 'home/.config/policy/house.yaml': HOUSE });
  const message: JsonObject = {
    session_id: 's',
    transcript_path: `${place.home}/.claude/projects/p/s.jsonl`,
    cwd: place.project,
    prompt_id: 'p',
    permission_mode: 'bypassPermissions',
    hook_event_name: 'PreSkillShellCommand',
    tool_name: tool,
    tool_input: { command },
    tool_use_id: 'skill_1',
    command_name: 'clean',
    command_source: 'project',
    invoked_by: 'user',
  };
  const { stdout, exitCode } = await place.run({
    args: ['hook', '--host', 'claude'],
    input: JSON.stringify(message),
  });
  const { hookSpecificOutput: said, ...rest } = JSON.parse(stdout);
  return { said, rest, exitCode };
}

describe('the shell text of a skill', () => {
  test.each([
    ['rm -rf ~/', 'Bash'],
    ['Remove-Item -Recurse -Force C:\\', 'PowerShell'],
    ['deploy', 'Bash'],
    // It would run as it was.
    ['draft', 'Bash'],
  ])('is refused: %s', async (command, tool) => {
    const { said, exitCode } = await answerTo(command, tool);
    expect(said).toMatchObject({ hookEventName: 'PreSkillShellCommand', permissionDecision: 'deny' });
    expect(said).not.toHaveProperty('updatedInput');
    expect(exitCode).toBe(2);
  });

  test.each(['git status', 'build'])('passes without a word: %s', async (command) => {
    expect(await answerTo(command)).toEqual({ said: undefined, rest: {}, exitCode: 0 });
  });
});
