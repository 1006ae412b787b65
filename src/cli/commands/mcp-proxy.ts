import { runMcp } from '../../hook/run-mcp.ts';
import { optionValue } from '../args.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import { hookOptions, hookOptionsNamed } from './hook.ts';

export const mcpProxy = {
  operands: '-- SERVER [ARG]...',
  options: [
    {
      name: 'name',
      value: 'NAME',
      summary: 'The server in names of tools, as in mcp__NAME__TOOL; what it calls itself unless given',
    },
    ...hookOptionsNamed([
      'policies',
      'workspace',
      'approve-with',
      'host-timeout',
      'no-log',
      'log-days',
      'log-input',
    ]),
  ],
  details: [
    "Starts an MCP server and stands between it and its client, for agents without hooks: write it into the agent's\nconfiguration in the place of the server. Calls of tools are judged as before_tool and their results as after_tool;\ntools that are refused whatever their arguments are not listed. Everything else passes as it is.",
    'It sees the tools of this server and nothing else: not the shell and not the files of the agent itself.',
  ],
  example: ['$ policy mcp-proxy --name files -- npx -y @modelcontextprotocol/server-filesystem /project'],
  async run(args, io) {
    if (args.operands.length === 0)
      throw new UsageError('Cannot start a server: say after -- what starts it');
    const options = hookOptions(args, undefined);
    if (options.problem !== undefined) throw new UsageError(options.problem);
    return runMcp({ command: args.operands, name: optionValue(args, 'name') }, options, io);
  },
} satisfies Command;
