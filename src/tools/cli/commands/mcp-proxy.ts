import { runMcp } from '../../../hook/run-mcp.ts';
import { optionValue } from '../args.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { hookOptions, hookOptionsNamed } from './hook.ts';

export const mcpProxy = {
  operands: '-- SERVER [ARG]...',
  options: [
    ...optionsOf({
      '--name NAME': 'The server in tool names, as in mcp__NAME__TOOL; by default, its own name',
    }),
    ...hookOptionsNamed([
      'policies',
      'workspace',
      'approve-with',
      'host-timeout',
      'no-log',
      'log-days',
      'no-command',
      'log-input',
    ]),
  ],
  details: [
    "Starts an MCP server and sits between it and its client, for agents without hooks. Put it into the agent's\nconfiguration in place of the server. It decides tool calls as before_tool and their results as after_tool, and\nhides tools that the policies refuse whatever their arguments. Everything else passes unchanged.",
    "It sees only the tools of this server, not the agent's own shell and files.",
  ],
  example: ['$ policy mcp-proxy --name files -- npx -y @modelcontextprotocol/server-filesystem /project'],
  async run(args, io) {
    if (args.operands.length === 0) throw new UsageError('Cannot start a server: give its command after --');
    const options = hookOptions(args, undefined);
    if (options.problem !== undefined) throw new UsageError(options.problem);
    return runMcp({ command: args.operands, name: optionValue(args, 'name') }, options, io);
  },
} satisfies Command;
