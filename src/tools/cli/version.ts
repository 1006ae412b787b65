import { BUILD_INFO } from '../../language/generated/build-info.ts';

export const VERSION: string = BUILD_INFO.version;

/** `policy 0.1.0 (abc1234, bun-linux-x64)`. */
export function versionText(): string {
  const { version, commit, target } = BUILD_INFO;
  return `policy ${version} (${commit.slice(0, 12)}, ${target})\n`;
}
