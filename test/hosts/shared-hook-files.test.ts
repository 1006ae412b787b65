import { expect, test } from 'bun:test';
import { COPILOT_TOOLS } from '../../src/hosts/copilot/tools.ts';
import { hostNamed } from '../../src/hosts/host-loaders.ts';
import { VSCODE_TOOLS } from '../../src/hosts/vscode/tools.ts';

const TOOLS = Object.entries({ ...COPILOT_TOOLS, ...VSCODE_TOOLS }).filter(([name]) => !name.includes('*'));

/** Copilot CLI and VS Code read the same files: the hook of one is asked about the calls of the other. */
test.each(['copilot', 'vscode'])('%s knows the tools of both that read its files', (name) => {
  const host = hostNamed(name);
  const setting = { version: undefined, env: {}, cwd: '/work', interactive: false };
  const classesOf = (tool: string) => {
    const message = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: tool, tool_input: {} };
    const decoded = host?.decode(message, setting);
    return decoded?.type === 'event' ? decoded.event.tool?.classes : undefined;
  };
  expect(TOOLS.length).toBeGreaterThan(30);
  for (const [tool, { classes }] of TOOLS) expect([tool, classesOf(tool)]).toEqual([tool, classes]);
});
