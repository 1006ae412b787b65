/** True for names of files that can be read as data. */
export function isDataName(name: string): boolean {
  return /\.(?:json|ya?ml)$/.test(name);
}
