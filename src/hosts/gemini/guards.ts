import { type Guards, verbsOf } from '../guards.ts';

/** Which hooks run, which folders and hooks are trusted, and what Gemini CLI allows by itself. */
export const GUARDS = {
  paths: [
    '~/.gemini/**',
    '**/.gemini/{settings.json,.env}',
    '**/.gemini/{hooks,extensions,policies}/**',
    '/etc/gemini-cli/**',
    '/Library/Application Support/GeminiCli/**',
    '**/ProgramData/gemini-cli/**',
  ],
  notes: ['~/.gemini/{tmp/**,GEMINI.md,{agents,skills,commands}{,/**}}', '**/.gemini/extensions/**/*.md'],
  instructions: ['**/.gemini/{agents,skills,extensions}/**/*.md'],
  moved: {
    $GEMINI_CLI_TRUSTED_FOLDERS_PATH: '~/.gemini/trustedFolders.json',
    '$GEMINI_CLI_HOME/.gemini': '~/.gemini',
    $GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/etc/gemini-cli/settings.json',
    $GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/etc/gemini-cli/system-defaults.json',
  },
  escapes: {
    programs: ['gemini', 'gemini-cli'],
    subcommands: {
      ...verbsOf('extensions', 'install i add uninstall remove update enable disable link'),
      ...verbsOf('hooks', 'enable disable migrate install uninstall add remove'),
      ...verbsOf('mcp', 'add add-json add-from-claude-desktop import remove enable disable'),
    },
    elsewhere: ['GEMINI_CLI_*'],
  },
} as const satisfies Guards;
