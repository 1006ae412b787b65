import { parseExpression, startsExpression } from './parse-operators.ts';
import { parseWord } from './parse-words.ts';
import type { Parser } from './parser.ts';
import type { CommandWord, FileRedirection, PipelineStage, Statement } from './syntax.ts';

/** Redirections that one command may have. */
const MAX_REDIRECTIONS = 500;

export function parseChain(p: Parser): Statement {
  const items = [parsePipelineOrAssignment(p)];
  const operators: ('&&' | '||')[] = [];
  for (;;) {
    p.s.skip();
    const operator = p.s.takeText('&&') ? '&&' : p.s.takeText('||') ? '||' : undefined;
    if (operator === undefined) break;
    operators.push(operator);
    p.s.skip(true);
    items.push(p.grammar.keyword(p) ?? parsePipelineOrAssignment(p));
  }
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { type: 'chain', items, operators };
}

function parsePipelineOrAssignment(p: Parser): Statement {
  const stages: PipelineStage[] = [];
  for (;;) {
    const stage = parseStage(p);
    if (stages.length === 0 && stage.expression !== undefined && stage.redirections.length === 0) {
      p.s.skip();
      const operator = p.s.take(/(?:\?\?|[-+*/%])?=(?!=)/y)?.[0];
      if (operator !== undefined) {
        p.s.skip(true);
        return {
          type: 'assignment',
          target: stage.expression,
          operator,
          value: p.deeper(() => p.grammar.statement(p)),
        };
      }
    }
    stages.push(stage);
    p.s.skip();
    if (parsePipe(p)) {
      p.s.skip(true);
      continue;
    }
    const isBackground = p.s.peek() === '&' && p.s.peek(1) !== '&' && p.s.takeText('&');
    return { type: 'pipeline', stages, isBackground };
  }
}

/** Passes over a pipe, which may be at the start of the next line. */
function parsePipe(p: Parser): boolean {
  if (p.s.peek() === '|' && p.s.peek(1) !== '|') return p.s.takeText('|');
  if (!/[\r\n]/.test(p.s.peek())) return false;
  const back = p.s.at;
  p.s.skip(true);
  if (p.s.peek() === '|' && p.s.peek(1) !== '|') return p.s.takeText('|');
  p.s.at = back;
  return false;
}

function parseStage(p: Parser): PipelineStage {
  const start = p.s.at;
  const redirections: FileRedirection[] = [];
  if (startsExpression(p)) {
    const expression = parseExpression(p);
    for (;;) {
      p.s.skip();
      if (!parseRedirection(p, redirections)) break;
    }
    return { start, end: p.s.at, words: [], expression, redirections };
  }
  let calls: PipelineStage['calls'];
  if (p.s.take(/&(?!&)[ \t]*/y)) calls = '&';
  else if (p.s.find(/\.(?=[\s'"$({])/y)) {
    calls = '.';
    p.s.at++;
    p.s.skip();
  }
  const words: CommandWord[] = [];
  let isRaw = false;
  for (;;) {
    p.s.skip();
    if (p.s.isOver || ';\n\r)}|&'.includes(p.s.peek())) break;
    if (redirections.length > MAX_REDIRECTIONS) p.s.fail('it has too many redirections', true);
    if (parseRedirection(p, redirections)) continue;
    if (p.s.take(/--%[ \t]*/y)) {
      for (const raw of (p.s.take(/[^\n|]*/y)?.[0] ?? '').split(/\s+/))
        if (raw !== '')
          words.push({ value: { type: 'text', text: raw, bare: true }, start: p.s.at, end: p.s.at });
      continue;
    }
    const word = parseWord(p, words.length === 0 && calls === undefined, isRaw);
    if (word === undefined) p.s.fail(`"${p.s.peek()}" is not expected here`);
    if (word === undefined) break;
    if (word.value.type === 'text' && word.value.bare === true && word.value.text === '--') isRaw = true;
    words.push(word);
  }
  if (words.length === 0 && redirections.length === 0) p.s.fail('a command is missing');
  return { start, end: p.s.at, words, calls, redirections };
}

function parseRedirection(p: Parser, found: FileRedirection[]): boolean {
  const operator = p.s.take(/([*1-6])?>>?(?:&[12])?|<(?!#)/y);
  if (operator === undefined) return false;
  if (operator[0] === '<') {
    p.s.at--;
    p.s.fail('"<" is reserved');
  }
  if (operator[0].includes('&')) return true;
  p.s.skip();
  const target = parseWord(p);
  if (target === undefined) p.s.fail('the file of a redirection is missing');
  if (target === undefined) return true;
  const isOutput = operator[1] === undefined || operator[1] === '*' || operator[1] === '1';
  found.push({ append: operator[0].includes('>>'), isOutput, target });
  return true;
}
