import { readGeminiPolicies } from './gemini-policies.ts';
import { readGeminiSettings } from './gemini-settings.ts';
import type { Imported, Importer, ImportSource } from './imported.ts';

/** Policies in TOML, where of the rules that match the one of the highest priority decides, and settings in JSON. */
export const gemini: Importer = {
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
