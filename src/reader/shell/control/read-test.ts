import type { Word as SyntaxWord, TestExpression } from 'unbash';
import type { Span } from '../../reading/reading.ts';
import { EMPTY_WORD, textWord, type Word } from '../../reading/word.ts';
import { expandToOneWord, forEachExpansion } from '../expand/expand.ts';
import type { Expansion } from '../expand/expansion.ts';
import { spanIn } from '../parse/source.ts';
import { childrenOf } from '../parse/syntax.ts';
import { setOutcome } from '../scope/flow.ts';
import type { Arg, Frame } from '../scope/interpreter.ts';

/** `[[ … ]]` is listed as a command of that name. */
export function readTest(expression: TestExpression, span: Span, frame: Frame): Word {
  const { known } = frame.flow;
  forEachExpansion(frame, (expansion) => {
    const argv = [operator('[[', span), ...wordsOf(expression, expansion, span)];
    frame.interpreter.runCommand(
      argv,
      { ...frame, captured: false },
      { redirections: [], span, direct: false },
    );
  });
  // The words of tests in tests do not say how those are joined.
  if (expression.type !== 'TestBinary') setOutcome(frame.flow, known, known);
  return EMPTY_WORD;
}

function wordsOf(expression: TestExpression, expansion: Expansion, span: Span): readonly Arg[] {
  const words: Arg[] = [];
  const operand = (word: SyntaxWord) => {
    const place = spanIn(expansion.source, word.pos, word.end);
    words.push({ word: expandToOneWord(word, expansion), span: place });
  };
  const pending: TestExpression[] = [expression];
  for (let test = pending.pop(); test !== undefined; test = pending.pop()) {
    switch (test.type) {
      case 'TestUnary':
        words.push(operator(test.operator, span));
        operand(test.operand);
        break;
      case 'TestBinary':
        operand(test.left);
        words.push(operator(test.operator, span));
        operand(test.right);
        break;
      default:
        // Tests in tests: only operators between them, and parentheses, are left out.
        pending.push(...(childrenOf(test) as readonly TestExpression[]).toReversed());
    }
  }
  return words;
}

function operator(text: string, span: Span): Arg {
  return { word: textWord(text), span };
}
