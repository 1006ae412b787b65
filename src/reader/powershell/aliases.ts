/** A cmdlet and its other names, parted by commas. */
const NAMES = `
get-childitem gci ls dir, get-content gc cat type, set-content sc, add-content ac, clear-content clc,
get-item gi, set-item si, remove-item ri rm rmdir del erase rd, copy-item ci cpi cp copy,
move-item mi mv move, rename-item rni ren, new-item ni, invoke-item ii, get-itemproperty gp,
set-itemproperty sp, remove-itemproperty rp, clear-item cli, set-location cd chdir sl, push-location pushd,
pop-location popd, get-location gl pwd, resolve-path rvpa, convert-path cvpa, select-string sls,
select-object select, where-object where ?, foreach-object foreach %, sort-object sort, group-object group,
measure-object measure, compare-object compare diff, tee-object tee, format-table ft, format-list fl,
format-wide fw, out-host oh, write-output echo write, get-process gps ps, stop-process spps kill,
start-process saps start, get-service gsv, stop-service spsv, start-service sasv, invoke-webrequest iwr,
invoke-restmethod irm, invoke-expression iex, invoke-command icm, start-job sajb, start-sleep sleep,
get-variable gv, set-variable sv set, clear-variable clv, remove-variable rv, get-command gcm,
get-member gm, get-history h history ghy, invoke-history r ihy, get-alias gal, set-alias sal,
new-alias nal, clear-host clear cls, get-help man help, import-module ipmo, get-clipboard gcb,
set-clipboard scb, get-unique gu, get-wmiobject gwmi, invoke-wmimethod iwmi, remove-wmiobject rwmi,
get-ciminstance gcim, invoke-cimmethod icim, remove-ciminstance rcim, new-ciminstance ncim, set-ciminstance scim,
enter-pssession etsn, new-pssession nsn, get-job gjb, receive-job rcjb, wait-job wjb, import-csv ipcsv,
export-csv epcsv, new-psdrive ndr mount`;

/** The aliases that PowerShell on Windows brings, each with its cmdlet. */
export const ALIASES: ReadonlyMap<string, string> = new Map(
  NAMES.trim()
    .split(/,\s/)
    .flatMap((each) => {
      const [cmdlet = '', ...names] = each.split(' ');
      return names.map((name) => [name, cmdlet] as const);
    }),
);

/** Aliases that are also programs of other systems: with flags of the program, that is meant. */
export const ALSO_PROGRAMS = new Set(
  'ls cat rm rmdir cp mv sort diff tee ps kill sleep man mount clear echo pwd history start'.split(' '),
);

/** In one of the versions these fetch as Invoke-WebRequest does, in the other they are programs. */
export const FETCHERS = new Set(['curl', 'wget']);
