import { joinWords, outsideVariable, textWord, type Word } from '../reading/word.ts';

/** The folders in variables of Windows, by their names in small letters; `~` is the home directory. */
const PLACES: Readonly<Record<string, string>> = {
  home: '~',
  userprofile: '~',
  homepath: '~',
  appdata: '~/AppData/Roaming',
  localappdata: '~/AppData/Local',
  onedrive: '~/OneDrive',
  systemroot: 'C:/Windows',
  windir: 'C:/Windows',
  systemdrive: 'C:',
  homedrive: '',
  programfiles: 'C:/Program Files',
  'programfiles(x86)': 'C:/Program Files (x86)',
  programdata: 'C:/ProgramData',
  allusersprofile: 'C:/ProgramData',
  public: 'C:/Users/Public',
  comspec: 'C:/Windows/System32/cmd.exe',
};

const HOME = outsideVariable('HOME', '~');

/** A path that may start with the home directory. */
export function placeWord(path: string): Word {
  return path === '~' || path.startsWith('~/') ? joinWords(HOME, textWord(path.slice(1))) : textWord(path);
}

/** A variable of the environment of which the script says nothing. */
export function environmentWord(name: string, source: string): Word {
  const place = PLACES[name.toLowerCase()];
  return place === undefined ? outsideVariable(name.toUpperCase(), source) : placeWord(place);
}
