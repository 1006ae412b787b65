/** The JSON Schema compiler as a module of its own, so that the compiled program loads it only when a schema is used. */
export { Ajv2020 } from 'ajv/dist/2020.js';
