import type { ProgramSpec, ProgramTable } from './program-spec.ts';

const CLAUDE: ProgramSpec = {
  values:
    '--model --fallback-model --permission-mode --output-format --input-format --settings --session-id -r,--resume --agents --append-system-prompt --max-turns --permission-prompt-tool',
};
const GEMINI: ProgramSpec = {
  values: '-m,--model -p,--prompt -i,--prompt-interactive --approval-mode -o,--output-format',
};
const CODEX: ProgramSpec = {
  values:
    '-c,--config -m,--model -p,--profile -s,--sandbox -a,--ask-for-approval -C,--cd -i,--image --enable --disable --local-provider --remote',
};

/** Agents that are started by their names, as far as their flags are asked about. */
export const AGENT_PROGRAMS: ProgramTable = {
  claude: CLAUDE,
  'claude-code': CLAUDE,
  gemini: GEMINI,
  'gemini-cli': GEMINI,
  qwen: GEMINI,
  'qwen-code': GEMINI,
  codex: CODEX,
};
