import { REINSTALL } from '../../../hosts/installation.ts';
import { type DoctorReport, doctorJson, doctorText, faults } from '../../report/doctor.ts';
import { optionValues } from '../args.ts';
import type { Command } from '../command.ts';
import { examine, examineCommon } from '../doctor/examine.ts';
import { type ProofResult, prover } from '../doctor/prove.ts';
import { fileDigest } from '../install/file-digest.ts';
import { findHosts } from '../install/found-hosts.ts';
import { createInstallStore } from '../install/install-store.ts';
import { machineOf } from '../install/machine.ts';
import { EXIT_CODE, type Io } from '../io.ts';
import { hostsOption, optionsOf } from '../options.ts';
import { compileFor } from '../policy-place.ts';
import { paintFor, printJson } from '../print.ts';
import { install } from './install.ts';

export const doctor = {
  options: [
    hostsOption('Only this agent; by default, all that are found'),
    ...optionsOf({
      '--fix': 'Run policy install where that helps, then check again',
      '-y, --yes': 'Do not ask before --fix changes something',
      '--play': 'Also run the agent itself, if possible: Gemini CLI, without your model',
      '--json': 'Print JSON instead of a table',
    }),
  ],
  details: [
    "Reads each agent's configuration the way the agent does, and starts the program of each hook in your own or the\nsystem's files: with a call that it must refuse, and with one that it must pass. It starts nothing that a project names.",
    'Holds the sessions of the last seven days against the decision log, where it can read them: how many\ncalls ran, how many were judged, and which ran without a decision.',
    'Exits with 1 if something needs fixing, and says how. Notes are not faults.',
  ],
  example: [
    '$ policy doctor --host jcli',
    'agent  state       answers in  asks about  calls judged        by',
    'jcli   hook works  31 ms       3 events    12 of 12 by number  ~/.jdata/agent/hooks/policy/HOOK.yaml',
    '',
    'No findings',
  ],
  async run(args, io) {
    const names = optionValues(args, 'host');
    const play = args.switches.has('play');
    let report = await examineAll(names, play, io);
    const fixable = report.hosts.filter(({ findings }) =>
      findings.some(({ fix }) => fix.includes(REINSTALL)),
    );
    if (args.switches.has('fix') && fixable.length > 0) {
      const switches = new Set(args.switches.has('yes') ? ['yes'] : []);
      const values = new Map([['host', fixable.map(({ name }) => name)]]);
      const exitCode = await install.run({ switches, values, operands: [] }, io);
      if (exitCode !== EXIT_CODE.ok) return exitCode;
      report = await examineAll(names, play, io);
    }
    if (args.switches.has('json')) printJson(io.stdout, doctorJson(report));
    else io.stdout.write(doctorText(report, paintFor(io.stdout, io.env), machineOf(io).home));
    return faults(report).length === 0 ? EXIT_CODE.ok : EXIT_CODE.findings;
  },
} satisfies Command;

async function examineAll(names: readonly string[], play: boolean, io: Io): Promise<DoctorReport> {
  const machine = machineOf(io);
  const digests = new Map<string, string>();
  const circumstances = {
    machine,
    compiled: compileFor(io, []),
    store: createInstallStore(io.env),
    digestOf: (path: string) => {
      const digest = digests.get(path) ?? fileDigest(path);
      digests.set(path, digest);
      return digest;
    },
    play,
  };
  const found = await findHosts(names, machine);
  const examinations = await Promise.all(found.map((each) => examine(each, circumstances)));
  const proveBy = prover(io, circumstances.store, Date.now());
  const proven = new Map<string, ProofResult>();
  for (const { host, hooks } of examinations) proven.set(host.name, await proveBy(host, hooks));
  return {
    hosts: examinations.map(({ host, hooks, elapsedMs, findings }) => ({
      name: host.name,
      title: host.title,
      paths: [...new Set(hooks.map(({ path }) => path))],
      events: [...new Set(hooks.flatMap(({ events }) => events))],
      elapsedMs,
      proof: proven.get(host.name)?.proof,
      loaded: proven.get(host.name)?.loaded,
      findings: [...findings, ...(proven.get(host.name)?.findings ?? [])],
    })),
    common: examineCommon(examinations, circumstances),
  };
}
