/** A host's configuration cannot be read or edited as it is. The message says why and what to do. */
export class ConfigurationProblem extends Error {
  override readonly name = 'ConfigurationProblem';
}
