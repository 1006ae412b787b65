import { relative } from 'node:path';
import { machineId } from '../../../hook/state/machine-id.ts';
import { openStateFolder } from '../../../hook/state/state-folder.ts';
import { kindOf } from '../../../language/policy/files/folders.ts';
import { ORGANISATION_FOLDERS, organisationFiles } from '../../../language/policy/files/organisation.ts';
import { readRealFile } from '../../../language/policy/files/read-file.ts';
import { sha256Hex } from '../../../lib/digest.ts';
import { messageOf } from '../../../lib/message-of.ts';
import { countOf } from '../../report/layout/quantity.ts';
import { type Arguments, optionValue } from '../args.ts';
import type { Command } from '../command.ts';
import { openExportCursors } from '../export/export-cursors.ts';
import { runExport, SIGNALS } from '../export/run-export.ts';
import { EXIT_CODE, type Io, UsageError } from '../io.ts';
import { optionsOf } from '../options.ts';
import { managedFolders } from '../sync/managed-record.ts';
import { VERSION } from '../version.ts';

const USUAL_ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

export const exportCommand = {
  options: optionsOf({
    '--otlp URL': `The receiver, above v1/logs and v1/metrics; ${USUAL_ENDPOINT} by default`,
    '--only SIGNAL': ['Send only logs or only metrics; both by default', SIGNALS],
    '--content':
      'Also send reasons and logged messages, which may contain parts of commands; secrets are redacted',
  }),
  details: [
    'Sends all decisions in the log that were not sent yet, and a heartbeat of this machine, to an OpenTelemetry\nreceiver. It makes one pass, so let a timer run it. The hook does not depend on it, so agents never wait for it.',
    'It records for each receiver what was acknowledged. If a receiver is down or rejects the data, the exit code is 1,\nand the next pass sends what is still in the log.',
    'It honours OTEL_EXPORTER_OTLP_HEADERS (for a token), OTEL_RESOURCE_ATTRIBUTES and the other usual variables.',
  ],
  example: [
    '$ policy export --otlp https://collector.example.com:4318',
    'Sent to https://collector.example.com:4318/: 212 decisions as logs, 212 decisions as metrics',
  ],
  async run(args, io) {
    const [extra] = args.operands;
    if (extra !== undefined) throw new UsageError(`Cannot use "${extra}": name the receiver with --otlp`);
    const url = urlOf(args, io);
    const only = optionValue(args, 'only');
    const signals = SIGNALS.filter((signal) => signal === (only ?? signal));
    const folder = openStateFolder(io.env);
    const cursors = openExportCursors(folder);
    const onWarning = (warning: string) => io.stderr.write(`${warning}\n`);
    const { createOtlpSender } = await import('../../../fleet/export/otlp.ts');
    const sender = createOtlpSender({ url, version: VERSION, machine: machineId(), onWarning });
    try {
      const withContent = args.switches.has('content');
      const organisation = organisationDigest([...ORGANISATION_FOLDERS, ...managedFolders()]);
      const { sent, failed } = await runExport({
        folder,
        url,
        signals,
        withContent,
        organisation,
        sender,
        cursors,
        onWarning,
      });
      const counts = signals.map((signal) => `${countOf(sent[signal], 'decision')} as ${signal}`).join(', ');
      if (failed === undefined || signals.some((signal) => sent[signal] > 0))
        io.stdout.write(`Sent to ${url.href}: ${counts}\n`);
      if (failed === undefined) return EXIT_CODE.ok;
      io.stderr.write(
        `Cannot send ${failed.signal} to ${url.href}: ${failed.cause}. What was not sent stays in the log for the next time\n`,
      );
      return EXIT_CODE.findings;
    } finally {
      cursors.close();
      await sender.close();
    }
  },
} satisfies Command;

function urlOf(args: Arguments, { env }: Io): URL {
  const written = optionValue(args, 'otlp') ?? env[USUAL_ENDPOINT];
  if (written === undefined || written === '')
    throw new UsageError('Cannot send decisions: name a receiver, as in --otlp http://localhost:4318');
  const refused = (why: string) => new UsageError(`Cannot use --otlp "${written}": ${why}`);
  let url: URL;
  try {
    url = new URL(written);
  } catch (error) {
    throw refused(messageOf(error));
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('give an http or https URL');
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'Cannot use --otlp with a password in the URL: others see it; put a token into OTEL_EXPORTER_OTLP_HEADERS',
    );
  return url;
}

/** A digest of an organisation's files: the same on all machines that have the same ones. Undefined where there are none. */
export function organisationDigest(folders: readonly string[]): string | undefined {
  const parts = folders
    .filter((folder) => kindOf(folder) === 'folder')
    .flatMap((folder) =>
      organisationFiles(folder).flatMap(({ path, real }) => {
        const read = readRealFile(real);
        return [relative(folder, path), read.ok ? read.text : read.cause];
      }),
    );
  return parts.length === 0 ? undefined : sha256Hex(parts);
}
