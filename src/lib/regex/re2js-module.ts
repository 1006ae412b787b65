/** The regex engine as a module of its own, so that the compiled program loads it only when a pattern is used. */
export { RE2JS, RE2JSSyntaxException } from 're2js';
