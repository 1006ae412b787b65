import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import type { Importer } from './imported.ts';
import { opencode } from './opencode.ts';

/** Every host whose permissions can be imported. */
export const IMPORTERS: readonly Importer[] = [claude, codex, gemini, opencode, cursor, copilot];
