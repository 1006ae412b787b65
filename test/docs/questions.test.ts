import { describe, expect, test } from 'bun:test';
import { topicOf } from '../../src/tools/cli/docs/find-topic.ts';
import { sectionsOf } from '../../src/tools/cli/docs/sections.ts';
import { DOCS } from '../../src/tools/generated/docs-texts.ts';
import { runCli } from '../cli/test-io.ts';

/** What new users ask, in their words, and the page that answers. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['threat model', 'security'],
  ['what does it protect me against', 'security'],
  ['how do I report a vulnerability', 'security#report-a-problem'],
  ['what leaves my machine', 'privacy'],
  ['does it send telemetry', 'privacy'],
  ['where are logs stored and for how long', 'privacy'],
  ['prove compliance to an auditor', 'audit'],
  ['how do I stop an agent from reading .env', 'path'],
  ['allow only some commands', 'actions#approvals'],
  ['how do I exclude a folder', 'path'],
  ['powershell cmdlets', 'command#powershell-and-cmd'],
  ['only during working hours', 'allow#only-at-some-times'],
  ['release freeze on a weekend', 'allow#only-at-some-times'],
  ['emergency', 'emergency'],
  ['push a fix to all machines now', 'emergency'],
  ['which values can outside have', 'path'],
  ['how do I keep log-input', 'install#what-stays-the-same'],
  ['see which command was refused', 'commands'],
  ['uninstall and remove everything', 'install#remove-everything'],
  ['share policies over fifty repositories', 'organisation'],
  ['tag or bundle', 'sharing'],
  ['write a test for a policy', 'testing'],
  ['what can each agent do', 'hosts#what-each-agent-can-do'],
  ['allow a command that was refused by mistake', 'allow'],
  ['rename a command, npm to pnpm', 'rewrites'],
  ['ask a model to decide', 'judge'],
  ['how fast is it, what does a call cost', 'performance'],
  ['set up my editor', 'editors'],
  ['vs code extension', 'editors#visual-studio-code'],
  ['import my claude permissions', 'install#bring-your-permissions'],
  ['run in CI, a GitHub action', 'install#on-every-push-and-commit'],
  ['what does the baseline pack refuse', 'baseline'],
  ['why is a command unreadable', 'command'],
  ['different policies per directory', 'layers'],
  ['my policy does not match', 'not-matching'],
  ['what happens when the hook crashes', 'failures'],
  ['an exception that expires', 'allow#exceptions'],
  ['try a policy without enforcing it', 'tutorial#5-watch-before-you-refuse'],
  ['agents without hooks, MCP server', 'mcp-proxy'],
  ['sign a bundle', 'bundles'],
  ['how do several policies combine', 'layers#how-policies-combine'],
  ['redact secrets from results', 'cookbook'],
  ['is my agent guarded', 'install#is-it-guarded'],
  ['what is sent over the network', 'privacy'],
  ['test my policy in CI', 'install#on-every-push-and-commit'],
  ['aider', 'mcp-proxy'],
  ['cache results of a tool', 'answers'],
];

const SECTIONS = Object.entries(DOCS).flatMap(([name, text]) => sectionsOf(name, text));

describe('policy docs finds the page that answers', () => {
  test.each(QUESTIONS)('%s', async (question, page) => {
    const { exitCode, stdout } = await runCli(['docs', ...question.split(' ')]);
    const [first = ''] = stdout.split('\n');
    const exact = SECTIONS.find(({ own }) => own[0] === first);
    const found = /^In ([\w#-]+):$/.exec(first)?.[1] ?? (exact === undefined ? first : topicOf(exact));
    const isRight = found === page || (!page.includes('#') && found.split('#')[0] === page);
    expect([exitCode, isRight ? page : found]).toEqual([0, page]);
  });
});
