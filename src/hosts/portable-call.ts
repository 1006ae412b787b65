import type { Json, JsonObject } from '../lib/json.ts';
import { TOOL_CLASSES } from '../model/event.ts';
import type { BareCall, HostTool } from './host.ts';

/** A tool call in a host's own words. */
export interface NativeCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** A bare call in the host's names: the first tool of a class, by default the shell, and portable arguments renamed if needed. */
export function nativeCall(tools: Readonly<Record<string, HostTool>>, call: BareCall): NativeCall {
  const tool = nativeName(tools, call.tool ?? 'shell');
  const given = call.arguments ?? {};
  const aliases = (Object.hasOwn(tools, tool) ? tools[tool]?.aliases : undefined) ?? {};
  const entries = Object.entries(given).map(([name, value]) => {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return [own === undefined || Object.hasOwn(given, own) ? name : own, value] as const;
  });
  return { tool, arguments: Object.fromEntries(entries) };
}

function nativeName(tools: Readonly<Record<string, HostTool>>, tool: string): string {
  if (Object.hasOwn(tools, tool) || !(TOOL_CLASSES as readonly string[]).includes(tool)) return tool;
  const names = Object.entries(tools).flatMap(([name, row]) => (row.classes[0] === tool ? [name] : []));
  return names.find((name) => !name.endsWith('*')) ?? names[0]?.replace('*', 'server_tool') ?? tool;
}

/** Gives a text as it is, and anything else as JSON. */
export function jsonOrText(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** The conversation that a call is in, which may be its prompt alone. */
export function messagesOf(call: BareCall): readonly Json[] {
  if (call.messages !== undefined) return call.messages;
  return call.prompt === undefined ? [] : [{ role: 'user', content: call.prompt }];
}
