// Loaded before the tests of the gate: whether a change lands does not depend on luck. `bun test` tries other inputs each time.
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_260_101 });
