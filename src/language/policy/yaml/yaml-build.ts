import type { Json } from '../../../lib/json.ts';
import { keyWithoutSpace, missingSpace } from './mistakes/keys.ts';
import { textBegins } from './mistakes/texts.ts';
import type { YamlEntry, YamlNode } from './yaml-node.ts';
import { YamlProblem } from './yaml-problem.ts';
import { refuseTag, scalarNode } from './yaml-scalar.ts';

/** Values after aliases have been followed. */
const MAX_VALUES = 500_000;
const MAX_ALIASES = 1_000;
/** More wrong keys than anybody reads. */
const MAX_PROBLEMS = 1_000;

/** The names of anchors; anything else that begins with & or * is meant as a text. */
const IS_NAME = /^[\w.-]+$/;

type Yaml = typeof import('js-yaml');
type YamlEvent = import('js-yaml').Event;
type CollectionEvent = import('js-yaml').SequenceEvent | import('js-yaml').MappingEvent;
type AliasEvent = import('js-yaml').AliasEvent;

/** A list or mapping that is still open. */
interface Frame {
  readonly list: Json[] | undefined;
  readonly object: Record<string, Json>;
  readonly children: Map<string | number, YamlEntry>;
  readonly start: number;
  readonly anchor: string | undefined;
  size: number;
  key: { readonly name: string; readonly start: number; readonly end: number } | undefined;
}

interface State {
  readonly yaml: Yaml;
  readonly text: string;
  readonly frames: Frame[];
  readonly anchors: Map<string, YamlNode | 'open'>;
  readonly problems: YamlProblem[];
  root: YamlNode | undefined;
  aliases: number;
}

/**
 * Builds the one document of a text from its events, without recursion. Keys that occur twice or have no meaning are
 * collected in `problems` and left out.
 *
 * @throws {YamlProblem} for a mistake that leaves no document
 */
export function buildYaml(
  yaml: Yaml,
  events: readonly YamlEvent[],
  text: string,
  problems: YamlProblem[],
): YamlNode {
  const state: State = { yaml, text, frames: [], anchors: new Map(), problems, root: undefined, aliases: 0 };
  for (const event of events) {
    if (event.type === yaml.EVENT_ID.DOCUMENT && state.root !== undefined) {
      throw severalDocuments(yaml, events, event);
    }
    take(event, state);
  }
  const { root } = state;
  if (root === undefined || (root.value === null && root.start === root.end)) {
    throw new YamlProblem('Cannot read YAML: the file is empty', 0, 0, 'begin with "version: 1"');
  }
  return root;
}

function severalDocuments(yaml: Yaml, events: readonly YamlEvent[], document: YamlEvent): YamlProblem {
  const next = events[events.indexOf(document) + 1];
  const isCollection = next?.type === yaml.EVENT_ID.MAPPING || next?.type === yaml.EVENT_ID.SEQUENCE;
  const scalarStart = next?.type === yaml.EVENT_ID.SCALAR ? Math.max(next.valueStart, 0) : 0;
  const start = isCollection ? next.start : scalarStart;
  return new YamlProblem(
    'Cannot read YAML: the file has several documents',
    start,
    start,
    'make one file of each',
  );
}

function take(event: YamlEvent, state: State): void {
  const { EVENT_ID } = state.yaml;
  switch (event.type) {
    case EVENT_ID.DOCUMENT:
      return;
    case EVENT_ID.SCALAR: {
      const node = scalarNode(state.yaml, event, state.text, state.frames.at(-1)?.key);
      keep(anchorOf(event, state.text), node, state);
      add(node, state);
      return;
    }
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      open(event, event.type === EVENT_ID.SEQUENCE, state);
      return;
    case EVENT_ID.ALIAS:
      add(aliasNode(event, state), state);
      return;
    case EVENT_ID.POP:
      close(state);
      return;
  }
}

function open(event: CollectionEvent, isList: boolean, state: State): void {
  refuseTag(state.text, event);
  const anchor = anchorOf(event, state.text);
  if (anchor !== undefined) state.anchors.set(anchor, 'open');
  const list: Json[] | undefined = isList ? [] : undefined;
  const { start } = event;
  state.frames.push({ list, object: {}, children: new Map(), start, anchor, size: 1, key: undefined });
}

/** Closes the innermost list or mapping; the document's own end closes nothing. */
function close(state: State): void {
  const frame = state.frames.pop();
  if (frame === undefined) return;
  const { start, children, size } = frame;
  const node = { value: frame.list ?? frame.object, start, end: start + 1, children, size };
  keep(frame.anchor, node, state);
  add(node, state);
}

function anchorOf(
  event: { readonly anchorStart: number; readonly anchorEnd: number },
  text: string,
): string | undefined {
  if (event.anchorStart < 0) return undefined;
  const name = text.slice(event.anchorStart, event.anchorEnd);
  if (!IS_NAME.test(name)) throw textBegins('&', event.anchorStart - 1);
  return name;
}

function keep(anchor: string | undefined, node: YamlNode, state: State): void {
  if (anchor !== undefined) state.anchors.set(anchor, node);
}

function aliasNode(event: AliasEvent, state: State): YamlNode {
  const name = state.text.slice(event.anchorStart, event.anchorEnd);
  const start = event.anchorStart - 1;
  const refuse = (message: string) => new YamlProblem(message, start, event.anchorEnd);
  const target = state.anchors.get(name);
  if (target === undefined) throw unknownAlias(name, start);
  if (target === 'open') throw refuse(`Cannot use alias "*${name}" inside its own anchor`);
  if (++state.aliases > MAX_ALIASES) throw refuse(`Cannot use more than ${MAX_ALIASES} aliases in one file`);
  return { ...target, start, end: event.anchorEnd };
}

function unknownAlias(name: string, start: number): YamlProblem {
  if (!IS_NAME.test(name)) return textBegins('*', start);
  const message = `Cannot find anchor "&${name}" for alias "*${name}"`;
  const hint = 'put a string that begins with "*" in single quotes';
  return new YamlProblem(message, start, start + name.length + 1, hint, { at: start, with: '_' });
}

/** Puts a value where it belongs: under the key that waits for it, as the next item, or as the next key. */
function add(node: YamlNode, state: State): void {
  const frame = state.frames.at(-1);
  if (frame === undefined) {
    state.root = node;
    return;
  }
  frame.size += node.size;
  if (frame.size > MAX_VALUES) {
    const message = `Cannot read YAML: it holds more than ${MAX_VALUES} values`;
    throw new YamlProblem(message, node.start, node.end, 'split the file, and use fewer aliases');
  }
  if (frame.list !== undefined) {
    frame.children.set(frame.list.length, { keyStart: node.start, keyEnd: node.end, node });
    frame.list.push(node.value);
  } else if (frame.key === undefined) {
    frame.key = { name: keyText(node, state.text), start: node.start, end: node.end };
  } else {
    const { name, start, end } = frame.key;
    frame.key = undefined;
    refuseUnseparated(state.text.slice(start, end), start, node);
    const problem = keyProblem(name, start, end, frame.children.has(name));
    if (problem !== undefined) {
      if (state.problems.length < MAX_PROBLEMS) state.problems.push(problem);
      return;
    }
    frame.children.set(name, { keyStart: start, keyEnd: end, node });
    frame.object[name] = node.value;
  }
}

/** A key as it is written: `1.10` must not become `1.1`. */
function keyText(node: YamlNode, text: string): string {
  if (node.children !== undefined) {
    const message = 'Cannot use a list or mapping as a key: keys are strings';
    const hint = 'put a string that begins with "{" or "[" in single quotes';
    throw new YamlProblem(message, node.start, node.end, hint);
  }
  return typeof node.value === 'string' ? node.value : text.slice(node.start, node.end);
}

/** `{id:a}` is one key without a value. A value that is not written has its key's place. */
function refuseUnseparated(written: string, start: number, value: YamlNode): void {
  const key = value.value === null && value.start === start ? keyWithoutSpace(written) : undefined;
  if (key !== undefined) throw missingSpace(key, start, ':');
}

function keyProblem(name: string, start: number, end: number, isTaken: boolean): YamlProblem | undefined {
  const refuse = (message: string, hint: string) => new YamlProblem(message, start, end, hint);
  if (isTaken) return refuse(`Cannot use key "${name}" twice in one mapping`, 'remove or rename one of them');
  if (name === '__proto__') return refuse('Cannot use key "__proto__"', 'choose another name');
  if (name === '<<') return refuse('Cannot use key "<<": merge keys are not supported', 'write the keys out');
  return undefined;
}
