import { processIo } from './tools/cli/process-io.ts';
import { run } from './tools/cli/run.ts';

// Not a top-level await: compiled to bytecode this file is a function.
run(process.argv.slice(2), processIo()).then((exitCode) => process.exit(exitCode));
