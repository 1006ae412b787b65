import { unknownWord, type Word } from '../reading/word.ts';
import { runText } from '../shell/run/script.ts';
import { setOutcome } from '../shell/scope/flow.ts';
import type { Frame } from '../shell/scope/interpreter.ts';
import { hideStatus } from '../shell/scope/run-certainty.ts';

/** Reads the text of a place in the language of its shell. */
export function readText(around: Frame): Word {
  if (around.language === 'sh') return runText(around);
  const isOne = !/[;|&\n\r(){}]/.test(around.source.text.trim().replace(NO_SECOND, ''));
  const frame = isOne
    ? around
    : { ...around, runCertainty: hideStatus(around.runCertainty, 'sequence', false) };
  const { flow } = around;
  const { known } = flow;
  setOutcome(flow, known, known);
  try {
    const printed =
      frame.language === 'cmd' ? loadCmd().readCmd(frame) : loadPowerShell().readPowerShell(frame);
    if (!isOne) setOutcome(flow, known, known);
    return printed;
  } catch (error) {
    // The stack overflowed.
    if (!(error instanceof RangeError)) throw error;
    frame.interpreter.gap('too_deep', frame.source.span, 'The script is nested too deeply to be read');
    return unknownWord('the output of a script');
  }
}

/** A `&` that separates no commands: `& npm test 2>&1`. */
const NO_SECOND = /^&\s+|\s[2-6*]>&1(?=\s|$)/g;

/** Loaded late: most commands are not PowerShell. */
function loadPowerShell(): typeof import('../powershell/read-powershell.ts') {
  return require('../powershell/read-powershell.ts') as typeof import('../powershell/read-powershell.ts');
}

function loadCmd(): typeof import('../powershell/cmd.ts') {
  return require('../powershell/cmd.ts') as typeof import('../powershell/cmd.ts');
}
