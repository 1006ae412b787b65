import { readEvents } from '../yaml.ts';
import { type CollectionNode, type SyntaxEntry, type SyntaxNode, UnusualSyntax } from './syntax-node.ts';

type Read = ReturnType<typeof readEvents>;
type Event = Read['events'][number];
type CollectionEvent = import('js-yaml').SequenceEvent | import('js-yaml').MappingEvent;
type ScalarEvent = import('js-yaml').ScalarEvent;

interface Cursor extends Read {
  readonly text: string;
  next: number;
}

/**
 * The one document of a text as it is written.
 *
 * @throws {YamlProblem} if the text is no YAML
 * @throws {UnusualSyntax} if it has several documents or none
 */
export function syntaxTree(text: string): SyntaxNode {
  const read = readEvents(text);
  const { EVENT_ID } = read.yaml;
  const documents = read.events.filter(({ type }) => type === EVENT_ID.DOCUMENT);
  if (documents.length !== 1 || read.events[0] !== documents[0])
    throw new UnusualSyntax('it is not one document');
  const cursor: Cursor = { ...read, text, next: 1 };
  return takeNode(cursor, 0);
}

/** @param from where the text before it ends, for a value that is not written */
function takeNode(cursor: Cursor, from: number): SyntaxNode {
  const { EVENT_ID } = cursor.yaml;
  const event = cursor.events[cursor.next++];
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return scalarNode(cursor, event, from);
    case EVENT_ID.ALIAS:
      return { type: 'alias', properties: '', start: event.anchorStart - 1, end: event.anchorEnd };
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return takeCollection(cursor, event);
    default:
      throw new UnusualSyntax('it is empty');
  }
}

function scalarNode({ yaml, text }: Cursor, event: ScalarEvent, from: number): SyntaxNode {
  const { SCALAR_STYLE } = yaml;
  const properties = propertiesOf(text, event);
  if (event.valueStart < 0) {
    const at = Math.max(from, event.anchorEnd, event.tagEnd);
    return { type: 'scalar', style: 'absent', properties, start: at, end: at, text: '' };
  }
  const value = yaml.getScalarValue(text, event);
  const { valueStart, valueEnd } = event;
  const node = { type: 'scalar', properties, text: value } as const;
  switch (event.style) {
    case SCALAR_STYLE.SINGLE_QUOTED:
      return { ...node, style: 'single', start: valueStart - 1, end: valueEnd + 1 };
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return { ...node, style: 'double', start: valueStart - 1, end: valueEnd + 1 };
    case SCALAR_STYLE.PLAIN:
      return { ...node, style: 'plain', start: valueStart, end: valueEnd };
    default:
      return { ...node, style: 'block', ...blockSpan(text, event, from) };
  }
}

/** From the `|` or `>` to the end of the last line that counts. */
function blockSpan(text: string, event: ScalarEvent, from: number): { start: number; end: number } {
  const start = Math.max(from, event.anchorEnd, event.tagEnd);
  const head = /[|>]/g;
  head.lastIndex = start;
  const at = head.exec(text)?.index;
  if (at === undefined) throw new UnusualSyntax('the beginning of a string cannot be found');
  const keepsBreaks = /^[|>]\d?\+/.test(text.slice(at, at + 3));
  let end = event.valueEnd;
  if (!keepsBreaks) while (end > event.valueStart && /\s/.test(text[end - 1] ?? '')) end -= 1;
  return { start: at, end: Math.max(end, at + 1) };
}

function propertiesOf(
  text: string,
  event: {
    readonly anchorStart: number;
    readonly anchorEnd: number;
    readonly tagStart: number;
    readonly tagEnd: number;
  },
): string {
  const anchor = event.anchorStart < 0 ? '' : `&${text.slice(event.anchorStart, event.anchorEnd)}`;
  const tag = event.tagStart < 0 ? '' : text.slice(event.tagStart, event.tagEnd);
  return [anchor, tag].filter((part) => part !== '').join(' ');
}

function takeCollection(cursor: Cursor, event: CollectionEvent): CollectionNode {
  const { yaml, text } = cursor;
  const isList = event.type === yaml.EVENT_ID.SEQUENCE;
  const style = event.style === yaml.COLLECTION_STYLE.FLOW ? 'flow' : 'block';
  const entries: SyntaxEntry[] = [];
  const opening = isList ? '[' : '{';
  if (style === 'flow' && text[event.start] !== opening)
    throw new UnusualSyntax('a pair stands in a list without braces');
  let end = style === 'flow' ? event.start + 1 : event.start;
  for (; !isPop(cursor.events[cursor.next], yaml); ) {
    const entry = isList ? takeItem(cursor, style, end) : takePair(cursor, end);
    entries.push(entry);
    end = entry.value.end;
  }
  cursor.next += 1;
  if (style === 'flow') end = closingBracket(text, end, isList ? ']' : '}') + 1;
  return {
    type: isList ? 'list' : 'mapping',
    style,
    properties: propertiesOf(text, event),
    start: event.start,
    end,
    entries,
  };
}

function isPop(event: Event | undefined, { EVENT_ID }: Read['yaml']): boolean {
  return event === undefined || event.type === EVENT_ID.POP;
}

function takeItem(cursor: Cursor, style: 'flow' | 'block', from: number): SyntaxEntry {
  if (style === 'flow') {
    const value = takeNode(cursor, from);
    return { start: value.start, key: undefined, value };
  }
  const start = skipBlank(cursor.text, from);
  if (cursor.text[start] !== '-') throw new UnusualSyntax('an item has no dash');
  return { start, key: undefined, value: takeNode(cursor, start + 1) };
}

function takePair(cursor: Cursor, from: number): SyntaxEntry {
  const key = takeNode(cursor, from);
  if (key.type !== 'scalar' || key.style === 'absent' || key.style === 'block' || key.properties !== '')
    throw new UnusualSyntax('a key is not a plain text');
  const before = cursor.text.slice(from, key.start);
  if (/(?:^|[\s,{])\?\s/.test(before.replace(/#.*/g, '')))
    throw new UnusualSyntax('a key has a question mark');
  const colon = skipBlank(cursor.text, key.end);
  const hasColon = cursor.text[colon] === ':';
  return { start: key.start, key, value: takeNode(cursor, hasColon ? colon + 1 : key.end) };
}

function closingBracket(text: string, from: number, bracket: string): number {
  let at = skipBlank(text, from);
  while (text[at] === ',' || text[at] === ':') at = skipBlank(text, at + 1);
  if (text[at] !== bracket) throw new UnusualSyntax('the end of a list or mapping cannot be found');
  return at;
}

/** The next offset that is neither white space nor in a comment. */
function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
    if (text[at] !== '#' || (at > 0 && !/\s/.test(text[at - 1] ?? ''))) return at;
    while (at < text.length && text[at] !== '\n') at += 1;
  }
}
