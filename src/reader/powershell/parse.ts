import { parseBlock, parseHeader, parseSection, parseStatements } from './parse-blocks.ts';
import { parseKeyword } from './parse-keywords.ts';
import { parseExpression } from './parse-operators.ts';
import { parseChain } from './parse-pipelines.ts';
import { parseVariable } from './parse-values.ts';
import { type Grammar, Parser } from './parser.ts';
import { Scanner, ScriptError } from './scanner.ts';
import type { Block, Parameter, Statement } from './syntax.ts';

/** A script as far as it can be read; `error` says where it cannot. */
export interface ParsedScript {
  readonly block: Block;
  readonly error: ScriptError | undefined;
  /** The start of the statement that cannot be read. */
  readonly errorFrom: number;
}

const GRAMMAR: Grammar = {
  statement: (p) => parseKeyword(p) ?? parseChain(p),
  keyword: parseKeyword,
  statements: parseStatements,
  block: parseBlock,
  expression: parseExpression,
  variable: parseVariable,
};

/** Parses a script. It never throws: the statements before the first unreadable one are kept. */
export function parsePowerShell(text: string): ParsedScript {
  const p = new Parser(new Scanner(text), GRAMMAR);
  const body: Statement[] = [];
  let parameters: readonly Parameter[] = [];
  let from = 0;
  try {
    parameters = parseHeader(p);
    for (;;) {
      p.endOfStatements();
      from = p.s.at;
      if (p.s.isOver) return { block: { parameters, body }, error: undefined, errorFrom: from };
      if (!parseSection(p, body)) body.push(GRAMMAR.statement(p));
      p.closeStatement();
    }
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return { block: { parameters, body }, error, errorFrom: from };
  }
}
