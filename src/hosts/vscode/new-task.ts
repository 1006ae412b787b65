import { quotedWord } from '../../lib/command-argument.ts';
import { own, ownObject, ownString } from '../../lib/json.ts';
import { type MeantBy, running } from '../meant/meant.ts';

/** `create_and_run_task` writes a task and runs it: its command with the words after it. */
export const newTask: MeantBy = (args) => {
  const task = ownObject(args, 'task') ?? {};
  const words = own(task, 'args');
  const rest = (Array.isArray(words) ? words : []).map((word) => quotedWord(String(word)));
  return running([ownString(task, 'command') ?? '', ...rest].join(' '));
};
