import type { Host } from './host.ts';

/** Every host there is, loaded when it is asked for: a hook needs one of them. A new one is a row here. */
export const HOST_LOADERS: Readonly<Record<string, () => Host>> = {
  picoclaw: () => (require('./picoclaw/picoclaw.ts') as typeof import('./picoclaw/picoclaw.ts')).picoclaw,
  gemini: () => (require('./gemini/gemini.ts') as typeof import('./gemini/gemini.ts')).gemini,
  jcli: () => (require('./jcli/jcli.ts') as typeof import('./jcli/jcli.ts')).jcli,
  claude: () => (require('./claude/claude.ts') as typeof import('./claude/claude.ts')).claude,
  codex: () => (require('./codex/codex.ts') as typeof import('./codex/codex.ts')).codex,
  qwen: () => (require('./qwen/qwen.ts') as typeof import('./qwen/qwen.ts')).qwen,
  droid: () => (require('./droid/droid.ts') as typeof import('./droid/droid.ts')).droid,
  opencode: () => (require('./opencode/opencode.ts') as typeof import('./opencode/opencode.ts')).opencode,
  copilot: () => (require('./copilot/copilot.ts') as typeof import('./copilot/copilot.ts')).copilot,
  vscode: () => (require('./vscode/vscode.ts') as typeof import('./vscode/vscode.ts')).vscode,
  cline: () => (require('./cline/cline.ts') as typeof import('./cline/cline.ts')).cline,
  kiro: () => (require('./kiro/kiro.ts') as typeof import('./kiro/kiro.ts')).kiro,
  goose: () => (require('./goose/goose.ts') as typeof import('./goose/goose.ts')).goose,
  windsurf: () => (require('./windsurf/windsurf.ts') as typeof import('./windsurf/windsurf.ts')).windsurf,
  cursor: () => (require('./cursor/cursor.ts') as typeof import('./cursor/cursor.ts')).cursor,
  devin: () => (require('./devin/devin.ts') as typeof import('./devin/devin.ts')).devin,
  hermes: () => (require('./hermes/hermes.ts') as typeof import('./hermes/hermes.ts')).hermes,
  kimi: () => (require('./kimi/kimi.ts') as typeof import('./kimi/kimi.ts')).kimi,
  crush: () => (require('./crush/crush.ts') as typeof import('./crush/crush.ts')).crush,
  openclaw: () => (require('./openclaw/openclaw.ts') as typeof import('./openclaw/openclaw.ts')).openclaw,
  antigravity: () =>
    (require('./antigravity/antigravity.ts') as typeof import('./antigravity/antigravity.ts')).antigravity,
  grok: () => (require('./grok/grok.ts') as typeof import('./grok/grok.ts')).grok,
};

export function hostNamed(name: string): Host | undefined {
  return Object.hasOwn(HOST_LOADERS, name) ? HOST_LOADERS[name]?.() : undefined;
}
