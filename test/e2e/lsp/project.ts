import { afterEach, expect } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';
import { type Editor, startEditor } from './client.ts';

/** A repository with these files. */
export type MakeProject = (files: Readonly<Record<string, string>>) => string;

/** Makes repositories and editors, which are taken away after the test; each editor must end in peace. */
export function projects(): {
  readonly projectWith: MakeProject;
  readonly editorIn: (folder: string) => Promise<Editor>;
} {
  const editors: Editor[] = [];
  afterEach(async () => {
    for (const editor of editors.splice(0)) {
      expect(await editor.stop()).toBe(0);
      expect(editor.stderr()).toBe('');
    }
  });
  return {
    projectWith: (files) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, '.git'));
      writeFiles(folder, files);
      return folder;
    },
    editorIn: async (folder) => {
      const editor = await startEditor(folder);
      editors.push(editor);
      return editor;
    },
  };
}
