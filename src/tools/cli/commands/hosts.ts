import type { Host } from '../../../hosts/host.ts';
import { HOSTS } from '../../../hosts/registry.ts';
import { versionProblem } from '../../../hosts/version-problem.ts';
import { hostsMarkdown } from '../../report/hosts-markdown.ts';
import { hostsJson, hostsText, hostText } from '../../report/hosts-matrix.ts';
import type { Paint } from '../../report/paint.ts';
import { optionValue } from '../args.ts';
import type { Command } from '../command.ts';
import { EXIT_CODE } from '../exit-code.ts';
import { hostOf } from '../host-option.ts';
import { paintFor, printJson } from '../print.ts';
import { UsageError } from '../usage-error.ts';

export const hosts = {
  operands: '[NAME]',
  options: [
    { name: 'host-version', value: 'V', summary: 'Show this version or generation of the host' },
    { name: 'json', summary: 'Print JSON instead of tables' },
    { name: 'markdown', summary: 'Print the tables of docs/hosts.md' },
  ],
  details: [
    'Without a name, shows which actions each host supports on each event. With one, shows everything known about it and\nthe configuration that starts the hook.',
    'If a host cannot do something on an event, policy uses the closest answer that prevents the effect, and policy check\nwarns. Under "model": the event carries the model\'s name, it is remembered from an earlier event, or it is never\nknown.',
  ],
  example: ['$ policy hosts gemini', '$ policy hosts picoclaw --host-version 0.2.5 --json'],
  async run(args, io) {
    const [name, ...others] = args.operands;
    if (others.length > 0) throw new UsageError(`Cannot use "${others[0]}": give one host or none`);
    const shown = name === undefined ? HOSTS : [hostOf(name)];
    const version = versionOf(optionValue(args, 'host-version'), shown);
    if (args.switches.has('json')) printJson(io.stdout, hostsJson(shown, version));
    else if (args.switches.has('markdown')) io.stdout.write(hostsMarkdown(shown, version));
    else io.stdout.write(textOf(shown, version, paintFor(io.stdout, io.env)));
    return EXIT_CODE.ok;
  },
} satisfies Command;

function textOf(shown: readonly Host[], version: string | undefined, paint: Paint): string {
  const [host, ...others] = shown;
  return host === undefined || others.length > 0 ? hostsText(shown, paint) : hostText(host, version, paint);
}

function versionOf(version: string | undefined, shown: readonly Host[]): string | undefined {
  if (version === undefined) return undefined;
  const [host, ...others] = shown;
  if (host === undefined || others.length > 0) {
    throw new UsageError('Cannot use --host-version without a host: name the host as well');
  }
  const problem = versionProblem(host, version);
  if (problem !== undefined) throw new UsageError(problem);
  return version;
}
