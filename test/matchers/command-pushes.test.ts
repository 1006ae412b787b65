import { describe, expect, test } from 'bun:test';
import type { Truth } from '../../src/model/truth.ts';
import { ask, shell } from './support.ts';

const MAIN = { pushes_to: ['main', 'release/*'] };

function pushes(command: string, branch: string | null | undefined, files: readonly string[] = []): Truth {
  const repository = (folder = '/workspace') =>
    folder === '/other' ? null : { root: folder, name: undefined, branch };
  return ask('command', MAIN, shell(command, { repository, isThere: (path) => files.includes(path) }));
}

describe('command: pushes_to', () => {
  test.each<[command: string, truth: Truth]>([
    ['git push origin main', true],
    ['git push origin main-menu', false],
    ['git push origin +main', true],
    ['git push origin fix:main', true],
    ['git push origin main:fix', false],
    ['git push origin fix:refs/heads/main', true],
    ['git push origin fix:heads/main', true],
    ['git push origin :main', true],
    ['git push origin --delete main', true],
    ['git push -d origin fix', false],
    ['git push origin a b release/1.0', true],
    ['git push origin HEAD:refs/for/main', false],
    ['git push origin main:refs/heads/main-old', false],
    ['git push origin tag main', false],
    ['git push origin tag v1 main', true],
    ['git push --all', true],
    ['git push --branches origin', true],
    ['git push --mirror', true],
    ['git push --tags', false],
    ['git push --tags origin main', true],
    ['git push --all --dry-run', false],
    ["git push origin 'refs/heads/*'", true],
    ["git push origin 'refs/heads/m*:refs/heads/m*'", true],
    ["git push origin 'refs/heads/fix/*'", false],
    ["git push origin 'refs/tags/*'", false],
    ['git push origin :', true],
    ['git push origin "$B"', 'unknown'],
    ['git push $ARGS', 'unknown'],
    ['git -C lib push origin main', true],
    ['sh -c "sudo git push origin main"', true],
    ['git -c alias.p=push p origin main', true],
    ['git config alias.p push && git p origin main', true],
    ['git config --global alias.ship "push origin main"; git ship', true],
    ["git config alias.ship '!git push origin main'; git ship", true],
    ['git -C lib config alias.p push; git -C lib p origin main', true],
    ['git config alias.p pull && git p origin main', false],
    ['git send-pack host:a main', true],
    ['git pull origin main', false],
    ['echo git push origin main', false],
  ])('%s on another branch: %p', (command, truth) => {
    expect(pushes(command, 'fix')).toBe(truth);
  });

  test.each<[command: string, branch: string | null | undefined, truth: Truth]>([
    ['git push', 'main', true],
    ['git push', 'fix', false],
    ['git push', null, false],
    ['git push', undefined, 'unknown'],
    ['git push origin', 'release/2', true],
    ['git push -u origin HEAD', 'main', true],
    ['git push -u origin HEAD', 'fix', false],
    ['git push origin @', 'main', true],
    ['git push --follow-tags', 'main', true],
    ['git push --force-with-lease', 'main', true],
    ['git push origin HEAD:fix', 'main', false],
    ['git push origin v1.0.0', 'main', false],
    ['git checkout -b fix && git push', 'main', false],
    ['git checkout main && git push', 'fix', true],
    ['git switch -c fix && git push -u origin HEAD', 'main', false],
    ['git switch main; git pull; git push', 'fix', true],
    ['git checkout main && git merge fix && git checkout fix && git push', 'main', false],
    ['git checkout -- main && git push', 'fix', false],
    ['git checkout a.txt && git push', 'main', true],
    ['git checkout "$B" && git push', 'fix', 'unknown'],
    ['cd /other && git push', 'main', false],
    ['cd app && git push', 'main', true],
    ['cd "$D" && git push', 'main', 'unknown'],
    ['ssh host git push', 'main', 'unknown'],
  ])('%s with %p checked out: %p', (command, branch, truth) => {
    expect(pushes(command, branch, ['/workspace/a.txt'])).toBe(truth);
  });
});
