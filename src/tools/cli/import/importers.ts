import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { readGeminiPolicies } from './gemini-policies.ts';
import { readGeminiSettings } from './gemini-settings.ts';
import type { Imported, Importer, ImportSource } from './imported.ts';
import { opencode } from './opencode.ts';

/** Policies in TOML, where of the rules that match the one of the highest priority decides, and settings in JSON. */
const gemini: Importer = {
  name: 'gemini',
  title: 'Gemini CLI',
  file: '.gemini/settings.json',
  order: 'first',
  tools: {
    shell: 'run_shell_command',
    read: 'read_file|read_many_files',
    write: 'write_file|replace',
    fetch: 'web_fetch',
  },
  read: (source: ImportSource): Imported =>
    /^\s*(?:\{|\/[/*])/.test(source.text) ? readGeminiSettings(source) : readGeminiPolicies(source),
};

/** Every host whose permissions can be imported. */
export const IMPORTERS: readonly Importer[] = [claude, codex, gemini, opencode, cursor, copilot];
