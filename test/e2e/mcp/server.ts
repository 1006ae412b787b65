// A small MCP server on the official SDK: what the proxy is in front of.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'the box', version: '1.0.0' });
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

server.registerTool(
  'say',
  { description: 'd', inputSchema: { words: z.string() } },
  ({ words }, { signal }) => {
    appendFileSync(process.env['NOTES'] ?? '/dev/null', `${words}\n`);
    if (words === 'die') process.exit(7);
    if (words === 'fail') throw new Error('the key is key-123');
    return signal.aborted ? text('aborted') : text(`you said ${words}`);
  },
);
server.registerTool('number', { inputSchema: { value: z.any() }, annotations: { readOnlyHint: true } }, () =>
  text('a number'),
);
server.registerTool(
  'record',
  { inputSchema: {}, outputSchema: { key: z.string(), count: z.number() } },
  () => ({ ...text('key-123'), structuredContent: { key: 'key-123', count: 3 } }),
);
server.registerTool('drop', { inputSchema: { table: z.string().optional() } }, ({ table }) => {
  appendFileSync(process.env['NOTES'] ?? '/dev/null', `dropped ${table}\n`);
  return text('dropped');
});
server.registerResource('readme', 'file:///readme', {}, () => ({
  contents: [{ uri: 'file:///readme', text: 'key-123 stands here' }],
}));
server.registerPrompt('greet', {}, () => ({
  messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
}));
await server.connect(new StdioServerTransport());
