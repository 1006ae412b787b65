import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSeq, parseDocument } from 'yaml';
import { likeRegex } from '../../../hook/state/allow/call-to-allow.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { userConfigFolder } from '../../../language/policy/files/discovery.ts';
import { parsePolicyFile } from '../../../language/policy/parse/parse.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { errorsIn } from '../../../model/diagnostic.ts';
import type { LikePattern, RefusedCall } from '../../../model/grant.ts';
import { type Io, UsageError } from '../io.ts';
import { writeWhole, writing } from '../write-text.ts';

const FILE = 'exceptions.yaml';
const PLAIN_TOOL = /^[A-Za-z0-9_.-]+$/;
const PLAIN_KEY = /^[A-Za-z0-9_-]+$/;

/** The person who allows something, the reason, and the end. */
export interface Responsibility {
  readonly owner: string;
  readonly reason: string;
  /** Its last day: `2026-12-31`. */
  readonly expires: string;
}

/**
 * The entries of `exceptions:` for a refused call or calls like it, one for each policy.
 *
 * @throws UsageError if the call cannot be written as one
 */
export function exceptionsFor(
  { call, policies }: RefusedCall,
  like: LikePattern | undefined,
  by: Responsibility,
): readonly JsonObject[] {
  if (!PLAIN_TOOL.test(call.tool) || !Object.keys(call.arguments).every((key) => PLAIN_KEY.test(key)))
    throw new UsageError('Cannot write an exception for this call: its names are not plain; allow it --once');
  const named = policies.find(({ layer }) => layer === 'named');
  if (named !== undefined)
    throw new UsageError(
      `Cannot write an exception for ${named.id} into your file: the hook loads what --policies names; write it there`,
    );
  const tests: Record<string, Json> = {};
  for (const [name, value] of Object.entries(call.arguments)) {
    if (name === like?.argument) tests[name] = { regex: likeRegex(like.pattern) };
    else if (like === undefined || like.exact) tests[name] = { equals: value };
  }
  return policies.map(({ id }) => ({
    policy: id,
    hosts: [call.host],
    tool_matcher: call.tool,
    ...(Object.keys(tests).length === 0 ? {} : { arguments: tests }),
    ...(sendsDirectory(call.host) ? { context: { cwd: call.directory } } : {}),
    ...by,
  }));
}

/** True if a host names the folder of a session: the exception is for that one. */
function sendsDirectory(name: string): boolean {
  const host = HOSTS.find((each) => each.name === name);
  return host?.supports(undefined).before_tool?.context.includes('cwd') === true;
}

/** The text of the user's file with further exceptions, and where it is. Comments and the rest stay. */
export function fileWithExceptions(
  env: Io['env'],
  entries: readonly JsonObject[],
): { readonly path: string; readonly text: string } {
  const config = userConfigFolder(env);
  if (config === undefined) throw new UsageError('Cannot find your policies: set HOME to an absolute path');
  const path = join(config, 'policy', FILE);
  const document = parseDocument(textOf(path) ?? 'version: 1\nexceptions: []\n');
  if (document.errors.length > 0)
    throw new UsageError(`Cannot add to "${path}": it is not valid YAML; run policy check`);
  if (!document.has('exceptions')) document.set('exceptions', document.createNode([]));
  const list = document.get('exceptions');
  if (!isSeq(list)) throw new UsageError(`Cannot add to "${path}": its exceptions are not a list`);
  list.flow = false;
  for (const entry of entries) list.add(document.createNode(entry));
  const text = document.toString({ lineWidth: 0 });
  const [first] = errorsIn(parsePolicyFile(text, path, 'exceptions').diagnostics);
  if (first !== undefined)
    throw new UsageError(`Cannot add to "${path}": line ${first.position.line}: ${first.message}`);
  return { path, text };
}

export function writeExceptions(path: string, text: string): void {
  writing(path, () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }));
  writeWhole(path, text, 0o600);
}

/** Undefined if there is no file. */
function textOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new UsageError(`Cannot add to "${path}": it is not a regular file`);
  return readFileSync(path, 'utf8');
}
